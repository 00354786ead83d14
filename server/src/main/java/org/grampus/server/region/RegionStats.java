package org.grampus.server.region;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.CompactionState;

/**
 * Sizes (bytes) and counters of one region as the engine gives them (docs/jni.md, {@code stats}).
 *
 * @param largestStoreFileCount files of the store that has most
 * @param referenceCount files that are a part of another region's file
 * @param flushedSequence the lowest sequence id that is not flushed, less one
 * @param hasReferences whether files of a split or merge are still shared with another region
 */
public record RegionStats(
    long memstoreBytes,
    long storeFileBytes,
    int storeFileCount,
    int largestStoreFileCount,
    int referenceCount,
    FileTimes fileTimes,
    long flushedSequence,
    boolean hasReferences,
    Compaction compaction,
    List<Store> stores) {
  /** When the region's files were made, in milliseconds since the epoch; 0 without files. */
  public record FileTimes(long oldest, long newest, long sum) {}

  /**
   * What the region's compactions do.
   *
   * @param state what runs or was asked for
   * @param lastMajorMillis when the oldest result of a major compaction was made, 0 without one
   * @param totalCells cells of the compactions that run
   * @param readCells those of them that were read
   */
  public record Compaction(
      CompactionState state, long lastMajorMillis, long totalCells, long readCells) {}

  /** One store of the region. */
  public record Store(String familyHex, int files, long bytes, long flushedSequence) {}

  /** Asks the engine. */
  public static RegionStats of(OnlineRegion region) {
    return parse(region.nativeRegion().stats());
  }

  static RegionStats parse(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    return new RegionStats(
        json.get("memstoreBytes").getAsLong(),
        json.get("storeFileBytes").getAsLong(),
        json.get("storeFileCount").getAsInt(),
        json.get("largestStoreFileCount").getAsInt(),
        json.get("referenceCount").getAsInt(),
        new FileTimes(
            json.get("oldestFileMillis").getAsLong(),
            json.get("newestFileMillis").getAsLong(),
            json.get("sumOfFileMillis").getAsLong()),
        json.get("flushedSequence").getAsLong(),
        json.get("hasReferences").getAsBoolean(),
        new Compaction(
            CompactionState.valueOf(json.get("compactionState").getAsString()),
            json.get("lastMajorMillis").getAsLong(),
            json.get("compactingCells").getAsLong(),
            json.get("compactedCells").getAsLong()),
        stores(json));
  }

  private static List<Store> stores(JsonObject json) {
    List<Store> stores = new ArrayList<>();
    for (JsonElement element : json.getAsJsonArray("stores")) {
      JsonObject store = element.getAsJsonObject();
      stores.add(
          new Store(
              store.get("family").getAsString(),
              store.get("files").getAsInt(),
              store.get("bytes").getAsLong(),
              store.get("flushedSequence").getAsLong()));
    }
    return stores;
  }
}

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
 * @param fileParts what the files consist of
 * @param readers who reads the files
 * @param flushedSequence the lowest sequence id that is not flushed, less one
 * @param hasReferences whether files of a split or merge are still shared with another region
 */
public record RegionStats(
    long memstoreBytes,
    long storeFileBytes,
    int storeFileCount,
    int largestStoreFileCount,
    int referenceCount,
    FileParts fileParts,
    Readers readers,
    FileTimes fileTimes,
    long flushedSequence,
    boolean hasReferences,
    Compaction compaction,
    List<Store> stores) {
  /**
   * What the region's files consist of, in bytes; files that it shares with another region count as
   * a whole but for {@code own}.
   *
   * @param own files in the region's own directory, which are neither references nor links
   * @param uncompressed all pages before compression
   * @param open memory that the open files take, their pages in the cache not counted
   * @param footers the files' indexes before compression
   * @param blooms bloom filters before compression
   */
  public record FileParts(long own, long uncompressed, long open, long footers, long blooms) {}

  /**
   * Cursors of reads and compactions that are open on the region's files.
   *
   * @param current on all of its own files together
   * @param replaced on the one that has most of those that compactions have replaced
   */
  public record Readers(int current, int replaced) {}

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
    return parse(region.engine().stats());
  }

  static RegionStats parse(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    return new RegionStats(
        json.get("memtableBytes").getAsLong(),
        json.get("storeFileBytes").getAsLong(),
        json.get("storeFileCount").getAsInt(),
        json.get("largestStoreFileCount").getAsInt(),
        json.get("referenceCount").getAsInt(),
        new FileParts(
            json.get("ownFileBytes").getAsLong(),
            json.get("uncompressedBytes").getAsLong(),
            json.get("openFileBytes").getAsLong(),
            json.get("footerBytes").getAsLong(),
            json.get("bloomBytes").getAsLong()),
        new Readers(json.get("fileReaders").getAsInt(), json.get("replacedFileReaders").getAsInt()),
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

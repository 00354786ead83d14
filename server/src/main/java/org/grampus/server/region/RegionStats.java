package org.grampus.server.region;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.List;

/**
 * Sizes (bytes) and counters of one region as the engine gives them (docs/jni.md, {@code stats}).
 *
 * @param flushedSequence the lowest sequence id that is not flushed, less one
 * @param hasReferences whether files of a split or merge are still shared with another region
 */
public record RegionStats(
    long memstoreBytes,
    long storeFileBytes,
    int storeFileCount,
    long flushedSequence,
    boolean hasReferences,
    boolean compacting,
    List<Store> stores) {
  /** One store of the region. */
  public record Store(String familyHex, int files, long bytes, long flushedSequence) {}

  /** Asks the engine. */
  public static RegionStats of(OnlineRegion region) {
    return parse(region.nativeRegion().stats());
  }

  static RegionStats parse(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
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
    return new RegionStats(
        json.get("memstoreBytes").getAsLong(),
        json.get("storeFileBytes").getAsLong(),
        json.get("storeFileCount").getAsInt(),
        json.get("flushedSequence").getAsLong(),
        json.get("hasReferences").getAsBoolean(),
        json.get("compacting").getAsBoolean(),
        stores);
  }
}

package org.grampus.engine;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The engine's numbers of one moment by name (docs/jni.md, {@code metrics}). Immutable. */
public final class EngineMetrics {
  private static final String PREFIX = "engine.";

  private final TreeMap<String, Long> values = new TreeMap<>();
  private final Map<String, Map<Long, Long>> histograms = new HashMap<>();
  private final Map<String, TableAppends> tables = new HashMap<>();
  private final List<FinishedWork> work = new ArrayList<>();

  /** Records of a table in the log since its start, and their bytes. */
  public record TableAppends(long records, long bytes) {}

  private EngineMetrics() {}

  /** Reads the engine's reply. */
  public static EngineMetrics read(String reply) {
    EngineMetrics metrics = new EngineMetrics();
    JsonObject tree = EngineJson.readTree(reply);
    for (Map.Entry<String, JsonElement> entry : tree.entrySet()) {
      if (entry.getKey().startsWith(PREFIX)) {
        metrics.values.put(entry.getKey().substring(PREFIX.length()), entry.getValue().getAsLong());
      }
    }
    for (Map.Entry<String, JsonElement> entry : tree.getAsJsonObject("histograms").entrySet()) {
      metrics.histograms.put(
          entry.getKey().substring(PREFIX.length()), counts(entry.getValue().getAsJsonArray()));
    }
    for (Map.Entry<String, JsonElement> entry : tree.getAsJsonObject("tables").entrySet()) {
      JsonArray sums = entry.getValue().getAsJsonArray();
      metrics.tables.put(
          entry.getKey(), new TableAppends(sums.get(0).getAsLong(), sums.get(1).getAsLong()));
    }
    metrics.work.addAll(EngineJson.readAll(tree.get("work").toString(), FinishedWork.class));
    return metrics;
  }

  private static Map<Long, Long> counts(JsonArray pairs) {
    Map<Long, Long> counts = new TreeMap<>();
    for (JsonElement pair : pairs) {
      counts.put(
          pair.getAsJsonArray().get(0).getAsLong(), pair.getAsJsonArray().get(1).getAsLong());
    }
    return counts;
  }

  /** True when the engine has the number: some parts of it are there only when they are in use. */
  public boolean has(String path) {
    return values.containsKey(path);
  }

  /** A number by its path below {@code engine}. */
  public long get(String path) {
    Long value = values.get(path);
    if (value == null) {
      throw new IllegalArgumentException("the engine has no metric " + path);
    }
    return value;
  }

  /** The number of both logs, 0 before they are started. */
  public long ofLogs(String name) {
    return ofLog(name) + values.getOrDefault("meta_wal." + name, 0L);
  }

  /** The number of the log of all regions but those of hbase:meta, 0 before it is started. */
  public long ofLog(String name) {
    return values.getOrDefault("wal." + name, 0L);
  }

  /**
   * How often which value came since the start, by its path below {@code engine}: empty for what is
   * not in use. A value above 16 may be told with an eighth of itself more or less.
   */
  public Map<Long, Long> histogram(String path) {
    return histograms.getOrDefault(path, Map.of());
  }

  /** What the log has of each table since its start. */
  public Map<String, TableAppends> tables() {
    return tables;
  }

  /** The flushes and compactions that came after those of the call before, in their order. */
  public List<FinishedWork> work() {
    return work;
  }

  /** All numbers in the order of their paths. */
  public void forEach(ObjLongConsumer<String> consumer) {
    values.forEach((path, value) -> consumer.accept(path, value));
  }
}

package org.grampus.engine;

import com.google.gson.JsonElement;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;

/** The engine's numbers of one moment by name (docs/jni.md, {@code metrics}). Immutable. */
public final class EngineMetrics {
  private static final String PREFIX = "engine.";

  private final TreeMap<String, Long> values = new TreeMap<>();

  private EngineMetrics() {}

  static EngineMetrics read(String reply) {
    EngineMetrics metrics = new EngineMetrics();
    for (Map.Entry<String, JsonElement> entry : EngineJson.readTree(reply).entrySet()) {
      metrics.values.put(entry.getKey().substring(PREFIX.length()), entry.getValue().getAsLong());
    }
    return metrics;
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
    return values.getOrDefault("wal." + name, 0L) + values.getOrDefault("meta_wal." + name, 0L);
  }

  /** All numbers in the order of their paths. */
  public void forEach(ObjLongConsumer<String> consumer) {
    values.forEach((path, value) -> consumer.accept(path, value));
  }
}

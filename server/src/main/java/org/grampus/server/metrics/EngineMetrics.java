package org.grampus.server.metrics;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.TreeMap;
import java.util.function.ObjLongConsumer;
import org.grampus.engine.NativeEngine;

/** The engine's numbers of one moment by name (docs/jni.md, {@code metrics}). Immutable. */
final class EngineMetrics {
  private static final String PREFIX = "engine.";

  private final TreeMap<String, Long> values = new TreeMap<>();

  private EngineMetrics() {}

  /** Asks the engine. */
  static EngineMetrics of(NativeEngine engine) {
    return parse(engine.metrics());
  }

  static EngineMetrics parse(String text) {
    JsonObject json = JsonParser.parseString(text).getAsJsonObject();
    EngineMetrics metrics = new EngineMetrics();
    json.entrySet()
        .forEach(
            entry ->
                metrics.values.put(
                    entry.getKey().substring(PREFIX.length()), entry.getValue().getAsLong()));
    return metrics;
  }

  /** True when the engine has the number: some parts of it are there only when they are in use. */
  boolean has(String path) {
    return values.containsKey(path);
  }

  /** A number by its path below {@code engine}. */
  long get(String path) {
    Long value = values.get(path);
    if (value == null) {
      throw new IllegalArgumentException("the engine has no metric " + path);
    }
    return value;
  }

  /** The number of both logs, 0 before they are started. */
  long ofLogs(String name) {
    return values.getOrDefault("wal." + name, 0L) + values.getOrDefault("meta_wal." + name, 0L);
  }

  /** All numbers in the order of their paths. */
  void forEach(ObjLongConsumer<String> consumer) {
    values.forEach((path, value) -> consumer.accept(path, value));
  }
}

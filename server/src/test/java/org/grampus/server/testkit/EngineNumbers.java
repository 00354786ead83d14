package org.grampus.server.testkit;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import org.grampus.engine.EngineMetrics;

/** The engine's numbers as a test wants them. */
public final class EngineNumbers {
  private EngineNumbers() {}

  /** The numbers of an engine but for one, which it must have. */
  public static EngineMetrics with(EngineMetrics all, String name, long value) {
    if (!all.has(name)) {
      throw new AssertionError("the engine has no number " + name);
    }
    JsonObject reply = new JsonObject();
    all.forEach((path, number) -> reply.addProperty("engine." + path, number));
    reply.addProperty("engine." + name, value);
    reply.add("histograms", new JsonObject());
    reply.add("tables", new JsonObject());
    reply.add("work", new JsonArray());
    return EngineMetrics.read(reply.toString());
  }
}

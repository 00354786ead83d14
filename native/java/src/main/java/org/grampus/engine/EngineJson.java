package org.grampus.engine;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonToken;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The JSON of calls that are not hot (docs/jni.md), between its text and records. A component that
 * is null is left out, and byte strings are lower-case hex. The engine refuses a key that it does
 * not know; this side does not look at one, and refuses a reply that lacks a component.
 */
final class EngineJson {
  private static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .registerTypeAdapter(byte[].class, new Hex().nullSafe())
          .registerTypeAdapterFactory(new RecordAdapters())
          .create();

  private EngineJson() {}

  static String write(Object request) {
    return GSON.toJson(request);
  }

  static <T> T read(String reply, Class<T> type) {
    try {
      return GSON.fromJson(reply, type);
    } catch (JsonParseException e) {
      throw unreadable(type.getSimpleName(), e);
    }
  }

  /** Reads an array. */
  static <T> List<T> readAll(String reply, Class<T> type) {
    try {
      JsonArray array = tree(reply).getAsJsonArray();
      List<T> all = new ArrayList<>(array.size());
      array.forEach(element -> all.add(GSON.fromJson(element, type)));
      return all;
    } catch (JsonParseException | IllegalStateException e) {
      throw unreadable(type.getSimpleName(), e);
    }
  }

  /** Reads a document that is shown as it is. */
  static JsonObject readTree(String reply) {
    return tree(reply).getAsJsonObject();
  }

  /** Without {@code JsonParser}, whose static methods are missing in the Gson of Spark 3.5. */
  private static JsonElement tree(String reply) {
    JsonElement tree = GSON.fromJson(reply, JsonElement.class);
    if (tree == null) {
      throw new JsonParseException("it is empty");
    }
    return tree;
  }

  private static EngineException unreadable(String noun, RuntimeException cause) {
    EngineException error =
        new EngineException(
            ErrorKind.BUG, "the engine's " + noun + " cannot be read: " + cause.getMessage());
    error.initCause(cause);
    return error;
  }

  private static final class Hex extends TypeAdapter<byte[]> {
    @Override
    public void write(JsonWriter out, byte[] value) throws IOException {
      out.value(HexFormat.of().formatHex(value));
    }

    @Override
    public byte[] read(JsonReader in) throws IOException {
      if (in.peek() != JsonToken.STRING) {
        throw new JsonParseException("a " + in.peek() + " where bytes in hex are expected");
      }
      try {
        return HexFormat.of().parseHex(in.nextString());
      } catch (IllegalArgumentException e) {
        throw new JsonParseException("text where bytes in hex are expected", e);
      }
    }
  }
}

package org.grampus.engine;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.util.Map;

/**
 * Gson's adapters of records with two rules more: {@link Inline} components when writing, and no
 * component missing, unless it is {@link Absent}, when reading.
 */
final class RecordAdapters implements TypeAdapterFactory {
  @Override
  public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    if (!raw.isRecord()) {
      return null;
    }
    return new RecordAdapter<>(gson, raw, gson.getDelegateAdapter(this, type)).nullSafe();
  }

  private static final class RecordAdapter<T> extends TypeAdapter<T> {
    private final Gson gson;
    private final String name;
    private final RecordComponent[] components;
    private final TypeAdapter<T> plain;

    RecordAdapter(Gson gson, Class<? super T> type, TypeAdapter<T> plain) {
      this.gson = gson;
      this.name = type.getSimpleName();
      this.components = type.getRecordComponents();
      this.plain = plain;
    }

    @Override
    public void write(JsonWriter out, T value) throws IOException {
      JsonObject tree = plain.toJsonTree(value).getAsJsonObject();
      JsonObject flat = new JsonObject();
      for (RecordComponent component : components) {
        JsonElement element = tree.get(component.getName());
        if (element == null || element.isJsonNull()) {
          continue;
        }
        if (component.isAnnotationPresent(Inline.class)) {
          for (Map.Entry<String, JsonElement> entry : element.getAsJsonObject().entrySet()) {
            flat.add(entry.getKey(), entry.getValue());
          }
        } else {
          flat.add(component.getName(), element);
        }
      }
      gson.toJson(flat, out);
    }

    @Override
    public T read(JsonReader in) {
      JsonElement tree = JsonParser.parseReader(in);
      if (!tree.isJsonObject()) {
        throw new JsonParseException(name + " is " + tree);
      }
      for (RecordComponent component : components) {
        JsonElement element = tree.getAsJsonObject().get(component.getName());
        require(element != null && element != JsonNull.INSTANCE, component);
      }
      T value = plain.fromJsonTree(tree);
      for (RecordComponent component : components) {
        require(get(component, value) != null, component); // of an enum's name that is not known
      }
      return value;
    }

    private void require(boolean present, RecordComponent component) {
      if (!present && !component.isAnnotationPresent(Absent.class)) {
        throw new JsonParseException(name + " has no " + component.getName());
      }
    }

    private static Object get(RecordComponent component, Object value) {
      try {
        return component.getAccessor().invoke(value);
      } catch (ReflectiveOperationException e) {
        throw new JsonParseException("cannot read " + component, e);
      }
    }
  }
}

package org.grampus.engine;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.TypeAdapter;
import com.google.gson.TypeAdapterFactory;
import com.google.gson.reflect.TypeToken;
import com.google.gson.stream.JsonReader;
import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * JSON of records, made by their constructors: {@link Inline} components stand in the record around
 * them, and none may be missing when reading, unless it is {@link Absent}. Gson knows records since
 * 2.10 only, and tasks get the older one that Hadoop or Spark has (2.2 in Spark 3.5). Any thread.
 */
public final class RecordAdapters implements TypeAdapterFactory {
  /** For a builder of Gson. */
  public RecordAdapters() {}

  @Override
  public <T> TypeAdapter<T> create(Gson gson, TypeToken<T> type) {
    Class<? super T> raw = type.getRawType();
    return raw.isRecord() ? new RecordAdapter<T>(gson, raw).nullSafe() : null;
  }

  private static final class RecordAdapter<T> extends TypeAdapter<T> {
    private final Gson gson;
    private final String name;
    private final List<Component<?>> components = new ArrayList<>();
    private final Constructor<? super T> constructor;

    RecordAdapter(Gson gson, Class<? super T> type) {
      this.gson = gson;
      this.name = type.getSimpleName();
      for (RecordComponent component : type.getRecordComponents()) {
        components.add(Component.of(gson, component));
      }
      this.constructor = canonical(type);
    }

    private static <C> Constructor<C> canonical(Class<C> type) {
      Class<?>[] types =
          Arrays.stream(type.getRecordComponents())
              .map(RecordComponent::getType)
              .toArray(Class<?>[]::new);
      try {
        Constructor<C> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(true); // of a record that is not public
        return constructor;
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException(type + " is no record", e);
      }
    }

    @Override
    public void write(JsonWriter out, T value) {
      JsonObject flat = new JsonObject();
      for (Component<?> component : components) {
        component.addTo(flat, value);
      }
      gson.toJson(flat, out);
    }

    @Override
    public T read(JsonReader in) throws IOException {
      JsonElement tree = gson.getAdapter(JsonElement.class).read(in);
      if (!tree.isJsonObject()) {
        throw new JsonParseException(name + " is " + tree);
      }
      Object[] values = new Object[components.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = components.get(i).in(tree.getAsJsonObject(), name);
      }
      try {
        @SuppressWarnings("unchecked") // T is the record whose constructor this is
        T made = (T) constructor.newInstance(values);
        return made;
      } catch (ReflectiveOperationException e) {
        throw new JsonParseException("cannot make " + name + " of " + tree, e);
      }
    }
  }

  /** A component and how its values look. */
  private record Component<C>(RecordComponent component, TypeAdapter<C> adapter) {
    static Component<?> of(Gson gson, RecordComponent component) {
      component.getAccessor().setAccessible(true); // of a record that is not public
      return new Component<>(component, gson.getAdapter(TypeToken.get(component.getGenericType())));
    }

    private boolean is(Class<? extends Annotation> annotation) {
      return component.isAnnotationPresent(annotation);
    }

    void addTo(JsonObject flat, Object value) {
      JsonElement element = tree(value);
      if (element.isJsonNull()) {
        return;
      }
      if (is(Inline.class)) {
        for (Map.Entry<String, JsonElement> entry : element.getAsJsonObject().entrySet()) {
          flat.add(entry.getKey(), entry.getValue());
        }
      } else {
        flat.add(component.getName(), element);
      }
    }

    private JsonElement tree(Object value) {
      try {
        @SuppressWarnings("unchecked") // the component's type is the adapter's
        C own = (C) component.getAccessor().invoke(value);
        return adapter.toJsonTree(own);
      } catch (ReflectiveOperationException e) {
        throw new JsonParseException("cannot read " + component, e);
      }
    }

    Object in(JsonObject tree, String record) {
      JsonElement element = tree.get(component.getName());
      boolean there = element != null && element != JsonNull.INSTANCE;
      C value = there ? adapter.fromJsonTree(element) : null; // null of an enum's unknown name, too
      if (value == null && !is(Absent.class)) {
        throw new JsonParseException(record + " has no " + component.getName());
      }
      return value;
    }
  }
}

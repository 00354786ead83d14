package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import com.google.gson.ReflectionAccessFilter.FilterResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/** With a Gson that may not look into any class itself, as an older one cannot into records. */
class RecordAdaptersTest {
  private static final Gson GSON =
      new GsonBuilder()
          .registerTypeAdapterFactory(new RecordAdapters())
          .addReflectionAccessFilter(type -> FilterResult.BLOCK_ALL)
          .create();

  private enum Kind {
    ONE
  }

  private record Inner(int number, Kind kind) {}

  private record Outer(String name, List<Inner> all, @Absent Long some, @Inline Inner part) {}

  private record Strict(int number) {
    Strict {
      if (number < 0) {
        throw new IllegalArgumentException("below 0");
      }
    }
  }

  @Test
  void aRecordIsWrittenByItsAccessorsAndMadeByItsConstructor() {
    Inner inner = new Inner(1, Kind.ONE);
    assertEquals("{\"number\":1,\"kind\":\"ONE\"}", GSON.toJson(inner));
    assertEquals(inner, GSON.fromJson("{\"kind\":\"ONE\",\"number\":1}", Inner.class));
    assertEquals(
        "{\"name\":\"a\",\"all\":[{\"number\":1,\"kind\":\"ONE\"}],\"number\":1,\"kind\":\"ONE\"}",
        GSON.toJson(new Outer("a", List.of(inner), null, inner)));
  }

  @Test
  void aNullIsOne() {
    assertEquals("null", GSON.toJson(null, Inner.class));
    assertEquals(null, GSON.fromJson("null", Inner.class));
  }

  @Test
  void whatAConstructorRefusesIsNoRecord() {
    assertEquals(new Strict(1), GSON.fromJson("{\"number\":1}", Strict.class));
    JsonParseException error =
        assertThrows(
            JsonParseException.class, () -> GSON.fromJson("{\"number\":-1}", Strict.class));
    assertEquals("cannot make Strict of {\"number\":-1}", error.getMessage());
  }

  @Test
  void aNameThatAnEnumDoesNotHaveIsMissing() {
    JsonParseException error =
        assertThrows(
            JsonParseException.class,
            () -> GSON.fromJson("{\"number\":1,\"kind\":\"TWO\"}", Inner.class));
    assertEquals("Inner has no kind", error.getMessage());
  }
}

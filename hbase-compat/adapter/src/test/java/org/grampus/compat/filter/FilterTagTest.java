package org.grampus.compat.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The tags as this side writes them, against the file that the engine's test compares with. */
class FilterTagTest {
  private static final Path GOLDEN = Path.of("../../native/testdata/boundary/filters.txt");

  @Test
  void theTagsAreThoseOfTheEngine() throws Exception {
    Map<Integer, String> names = new TreeMap<>();
    for (Field field : FilterTag.class.getDeclaredFields()) {
      if (!field.isSynthetic()) {
        names.put(field.getInt(null), field.getName().toLowerCase(Locale.ROOT));
      }
    }
    assertEquals(
        Files.readAllLines(GOLDEN),
        names.entrySet().stream().map(tag -> tag.getValue() + " " + tag.getKey()).toList());
  }
}

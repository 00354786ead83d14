package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.grampus.mapreduce.source.Place;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The line of a record far behind the beginning of its file. */
class LineNumberTest {
  private static final int LINES = 1 << 20;
  private static final int BUFFER_BYTES_MAX = 1 << 20;

  @TempDir Path directory;

  @Test
  void theTaskSaysThatItIsAliveWhileLinesAreCounted() throws IOException {
    Path file = Files.writeString(directory.resolve("a.csv"), "a,b\n".repeat(LINES));
    AtomicInteger told = new AtomicInteger();
    Place place = new Place(file.toString(), Place.Unit.BYTE, 4L * (LINES - 1));
    Place line = LineNumber.of(new Configuration(false), place, told::incrementAndGet);
    assertEquals(new Place(file.toString(), Place.Unit.LINE, LINES), line);
    assertTrue(told.get() >= Files.size(file) / BUFFER_BYTES_MAX, told + " times");
  }
}

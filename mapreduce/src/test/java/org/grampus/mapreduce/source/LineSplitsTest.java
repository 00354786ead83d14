package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.grampus.mapreduce.input.Seeds;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every line of a file is read once, whatever the splits and what a site says of long lines. */
class LineSplitsTest {
  private static final String[] PIECES = {"a", "ä€𝄞", "\n", "\r\n", "\r", " ", "long text"};

  @TempDir Path directory;

  @Test
  void eachLineIsReadOnceForAnySplits() {
    Seeds.check(
        random -> {
          try {
            oneFile(random);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void oneFile(Random random) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(60); i >= 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    String marked = (random.nextBoolean() ? "\uFEFF" : "") + text;
    Path file = Files.writeString(directory.resolve("file.tsv"), marked);
    List<String> read = new ArrayList<>();
    long length = Files.size(file);
    for (long begin = 0; begin < length; ) {
      long end = Math.min(length, begin + 1 + random.nextInt(20));
      read(file, begin, end, read);
      begin = end;
    }
    assertEquals(text.toString().lines().toList(), read, marked);
  }

  private static void read(Path file, long begin, long end, List<String> read) throws IOException {
    Configuration site = new Configuration(false);
    site.setInt(LineRecordReader.MAX_LINE_LENGTH, 3);
    try (Lines lines = Lines.open(site, split(file, begin, end))) {
      byte[] bytes = Files.readAllBytes(file);
      while (lines.next()) {
        read.add(lines.text());
        Place place = lines.place();
        if (place.unit() == Place.Unit.BYTE) {
          int at = (int) place.number();
          String there = new String(bytes, at, bytes.length - at, StandardCharsets.UTF_8);
          assertTrue(there.startsWith(lines.text()), there);
        }
      }
      assertEquals(1, lines.progress());
    }
  }

  private static FileSplit split(Path file, long begin, long end) {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    return new FileSplit(path, begin, end - begin, null);
  }

  @Test
  void aLineWithoutAnEndIsNamed() throws IOException {
    Path file = directory.resolve("zeros.jsonl");
    try (RandomAccessFile zeros = new RandomAccessFile(file.toFile(), "rw")) {
      zeros.setLength((64 << 20) + 1);
    }
    try (Lines lines = Lines.open(new Configuration(false), split(file, 0, 1))) {
      IOException refusal = assertThrows(IOException.class, lines::next);
      assertTrue(refusal.getMessage().contains("zeros.jsonl, line 1: the line is longer"));
    }
  }
}

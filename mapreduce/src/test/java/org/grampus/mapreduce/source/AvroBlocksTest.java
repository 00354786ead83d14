package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files of Avro with blocks that have no records, as writers in other languages leave them. They
 * are written byte by byte, for the Java library writes none.
 */
class AvroBlocksTest {
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"string\"}]}";

  private static final byte[] MARK = "the mark between".getBytes(StandardCharsets.UTF_8);

  @TempDir Path directory;

  private final ByteArrayOutputStream file = new ByteArrayOutputStream();
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(file, null);
  private final List<String> written = new ArrayList<>();

  /** Records that are before each byte at which a writer could have ended. */
  private final NavigableMap<Integer, Integer> ends = new TreeMap<>();

  private void header(Map<String, byte[]> more) throws IOException {
    Map<String, byte[]> entries = new TreeMap<>(more);
    entries.put("avro.schema", SCHEMA.getBytes(StandardCharsets.UTF_8));
    encoder.writeFixed(new byte[] {'O', 'b', 'j', 1});
    encoder.writeMapStart();
    encoder.setItemCount(entries.size());
    for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
      encoder.writeString(entry.getKey());
      encoder.writeBytes(entry.getValue());
    }
    encoder.writeMapEnd();
    mark();
  }

  /** Writes blocks; each digit is the number of records in one. */
  private void blocks(String digits) throws IOException {
    for (int i = 0; i < digits.length(); i++) {
      block(digits.charAt(i) - '0');
    }
  }

  private void block(int records) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder of = EncoderFactory.get().directBinaryEncoder(bytes, null);
    for (int i = 0; i < records; i++) {
      written.add("record " + written.size());
      of.writeString(written.get(written.size() - 1));
    }
    block(records, bytes.toByteArray());
  }

  private void block(int records, byte[] bytes) throws IOException {
    encoder.writeLong(records);
    encoder.writeLong(bytes.length);
    encoder.writeFixed(bytes);
    mark();
  }

  private void mark() throws IOException {
    encoder.writeFixed(MARK);
    encoder.flush();
    ends.put(file.size(), written.size());
  }

  private List<String> read(int length, int splitBytes) throws IOException {
    Path path = directory.resolve("a.avro");
    Files.write(path, Arrays.copyOf(file.toByteArray(), length));
    SourceOptions options = new SourceOptions(null, List.of("a"), null);
    List<String> read = new ArrayList<>();
    for (int begin = 0; begin < length; begin += splitBytes) {
      FileSplit split =
          new FileSplit(
              new org.apache.hadoop.fs.Path(path.toUri()),
              begin,
              Math.min(splitBytes, length - begin),
              null);
      try (RecordSource source = RecordSources.open(new Configuration(false), split, options)) {
        for (SourceRecord record = source.next(); record != null; record = source.next()) {
          read.add(new String((byte[]) record.values()[0], StandardCharsets.UTF_8));
        }
      }
    }
    return read;
  }

  /** Whole and cut at each byte, with splits that begin at each byte, and pairs of splits. */
  private void assertReadWhole() throws IOException {
    int whole = file.size();
    assertEquals(written, read(whole, 1), "splits of a byte");
    for (int splitBytes = whole / 2; splitBytes <= whole; splitBytes++) {
      assertEquals(written, read(whole, splitBytes), "splits of " + splitBytes);
    }
    for (int cut = ends.firstKey(); cut < whole; cut++) {
      int length = cut;
      for (int splitBytes : new int[] {3 * MARK.length, whole}) {
        String at = "cut at " + length + " of " + whole + ", splits of " + splitBytes;
        if (ends.containsKey(length)) {
          assertEquals(written.subList(0, ends.get(length)), read(length, splitBytes), at);
        } else {
          assertThrows(IOException.class, () -> read(length, splitBytes), at);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "20", "02", "203", "000", "2003100", "0201030"})
  void blocksWithoutRecordsAreReadOver(String blocks) throws IOException {
    header(Map.of());
    blocks(blocks);
    assertReadWhole();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "3", "0203"})
  void aMarkWithinTheHeaderBeginsNoBlock(String blocks) throws IOException {
    header(Map.of("avro.sync", MARK));
    blocks(blocks);
    assertReadWhole();
  }

  @Test
  void compressedBlocksWithoutRecordsAreReadOver() throws IOException {
    header(Map.of("avro.codec", "deflate".getBytes(StandardCharsets.UTF_8)));
    byte[] nothing = {3, 0};
    block(0, nothing);
    block(0, nothing);
    assertReadWhole();
  }

  @Test
  void aCutBlockWithoutRecordsIsNamed() throws IOException {
    header(Map.of());
    block(2);
    int begin = file.size();
    block(0);
    for (int cut = begin + 1; cut < file.size(); cut++) {
      int length = cut;
      IOException refusal = assertThrows(IOException.class, () -> read(length, length));
      assertTrue(
          refusal
              .getMessage()
              .endsWith(
                  "a.avro is cut or damaged: the block at byte "
                      + begin
                      + " is not whole at byte "
                      + length
                      + ", where the file ends"),
          refusal.getMessage());
    }
  }

  @Test
  void bytesOfABlockWithoutRecordsAreDamage() throws IOException {
    header(Map.of());
    block(0, new byte[] {2, 'x'}); // of which the number of records was damaged
    block(2);
    assertThrows(IOException.class, () -> read(file.size(), file.size()));
    file.reset();
    header(Map.of());
    block(0, new byte[] {2, 'x'});
    assertThrows(IOException.class, () -> read(file.size(), file.size()));
  }
}

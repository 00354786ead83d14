package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.files.ResultSerializations;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A file is cut at each of its bytes. It is refused, or the cut is where a writer could have ended,
 * and every record before it is read. In small splits, each of which is opened for itself, the
 * short tier reads fewer of these files.
 */
class CutFilesTest {
  private static final int SPLIT_BYTES = 100;

  /** In small splits the short tier cuts at every seventh byte, and around each possible end. */
  private static final int STRIDE = 7;

  private static final int RECORDS = 12;

  /** So that a file has several blocks, and marks between records. */
  private static final int RECORDS_OF_BLOCK = 4;

  /** Of text that does not compress well, so that a file has bytes to be cut at. */
  private static final String[] TEXTS = new String[RECORDS];

  static {
    for (int i = 0; i < RECORDS; i++) {
      TEXTS[i] = "record " + i + " " + Integer.toHexString(i * 0x9e3779b9).repeat(1 + i % 4);
    }
  }

  @TempDir Path directory;

  private final Configuration conf = new Configuration();

  /** Records that are before each byte at which a writer could have ended. */
  private final NavigableMap<Integer, Integer> ends = new TreeMap<>();

  private int read(Path file, int length, int splitBytes) throws IOException {
    int read = 0;
    for (int begin = 0; begin == 0 || begin < length; begin += splitBytes) {
      int bytes = Math.min(splitBytes, length - begin);
      FileSplit split =
          new FileSplit(new org.apache.hadoop.fs.Path(file.toUri()), begin, bytes, null);
      SourceOptions options = new SourceOptions(null, List.of("a"), null);
      try (RecordSource source = RecordSources.open(conf, split, options)) {
        for (SourceRecord record = source.next(); record != null; record = source.next()) {
          assertEquals(null, record.problem());
          read++;
        }
      }
    }
    return read;
  }

  private void cutEverywhere(String name, byte[] whole) throws IOException {
    assertEquals(RECORDS, ends.get(whole.length), "the whole file");
    for (int length = whole.length; length >= 0; length--) {
      cut(name, whole, length, Integer.MAX_VALUE);
    }
  }

  private void cutInSplits(String name, byte[] whole, int stride) throws IOException {
    assertEquals(RECORDS, ends.get(whole.length), "the whole file");
    for (int length = whole.length; length >= 0; length--) {
      if (length % stride == 0 || !ends.subMap(length - 1, true, length + 1, true).isEmpty()) {
        cut(name, whole, length, SPLIT_BYTES);
      }
    }
  }

  private void cut(String name, byte[] whole, int length, int splitBytes) throws IOException {
    Path file = Files.write(directory.resolve(name), Arrays.copyOf(whole, length));
    Integer expected = ends.get(length);
    String at = name + " cut at " + length + " of " + whole.length + ", splits " + splitBytes;
    if (expected != null) {
      assertEquals(expected, read(file, length, splitBytes), at);
      return;
    }
    IOException refusal = assertThrows(IOException.class, () -> read(file, length, splitBytes), at);
    assertTrue(refusal.getMessage().contains(name), refusal.getMessage());
  }

  /** What is said of a file that lacks its last bytes. */
  private void assertCutIsNamed(String name, byte[] whole) throws IOException {
    int length = whole.length - 1;
    Path file = Files.write(directory.resolve(name), Arrays.copyOf(whole, length));
    IOException refusal = assertThrows(IOException.class, () -> read(file, length, length));
    assertTrue(
        refusal.getMessage().contains(name + " is cut or damaged")
            && refusal.getMessage().contains(" at byte " + length + ", where the file ends"),
        refusal.getMessage());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gz", "bz2", "deflate", "snappy"})
  void cutCompressedTextIsRefused(String end) throws IOException {
    conf.setInt(CommonConfigurationKeys.IO_COMPRESSION_CODEC_SNAPPY_BUFFERSIZE_KEY, 64);
    for (String format : List.of("csv", "tsv", "jsonl")) {
      String name = "a." + format + "." + end;
      byte[] whole =
          format.equals("jsonl") ? compressed(end, "{\"a\":\"", "\"}\n") : compressed(end);
      cutEverywhere(name, whole);
      assertCutIsNamed(name, whole);
    }
  }

  private byte[] compressed(String end) throws IOException {
    return compressed(end, "", "\n");
  }

  /** Streams, one behind another. */
  private byte[] compressed(String end, String before, String behind) throws IOException {
    ends.clear();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < RECORDS; i++) {
      text.append(before).append(TEXTS[i]).append(behind);
      if (i % RECORDS_OF_BLOCK == RECORDS_OF_BLOCK - 1 || i == RECORDS - 1) {
        stream(end, text.toString(), out);
        ends.put(out.size(), i + 1);
        if (end.equals("snappy")) { // whose writer closes with an empty block
          ends.put(out.size() - Integer.BYTES, i + 1);
        }
        text.setLength(0);
      }
    }
    return out.toByteArray();
  }

  private void stream(String end, String text, OutputStream into) throws IOException {
    CompressionCodec codec =
        new CompressionCodecFactory(conf).getCodec(new org.apache.hadoop.fs.Path("a." + end));
    ByteArrayOutputStream stream = new ByteArrayOutputStream();
    try (OutputStream out = codec.createOutputStream(stream)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    stream.writeTo(into);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4, 11, 10_240, 200_000})
  void zerosBehindBzip2AreNoText(int zeros) throws IOException {
    byte[] whole = compressed("bz2");
    byte[] padded = Arrays.copyOf(whole, whole.length + zeros);
    Path file = Files.write(directory.resolve("a.csv.bz2"), padded);
    assertEquals(RECORDS, read(file, padded.length, padded.length));
    int checksum = whole.length - 6; // zeros in place of it leave all text
    for (int length = ends.lowerKey(whole.length) + 1; length <= checksum; length++) {
      Files.write(file, Arrays.copyOf(Arrays.copyOf(whole, length), padded.length));
      assertThrows(IOException.class, () -> read(file, padded.length, padded.length), "" + length);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100, 200_000})
  void whatFollowsBzip2IsNamed(int bytes) throws IOException {
    byte[] whole = compressed("bz2");
    byte[] followed = Arrays.copyOf(whole, whole.length + bytes + 5); // zeros at the end
    Arrays.fill(followed, whole.length, whole.length + bytes, (byte) 'B');
    Path file = Files.write(directory.resolve("a.csv.bz2"), followed);
    IOException refusal =
        assertThrows(IOException.class, () -> read(file, followed.length, followed.length));
    if (bytes == 1) { // as a next stream begins
      assertTrue(refusal.getMessage().contains(" is cut or damaged"), refusal.getMessage());
    } else {
      assertEquals(
          file
              + ": something follows the end of the bzip2 data at byte "
              + whole.length
              + "; remove it, so that the file has "
              + whole.length
              + " bytes",
          refusal.getMessage().replaceFirst("^file:/*", "/"));
    }
  }

  @Test
  void cutBzip2IsNotFollowedByAnything() throws IOException {
    byte[] whole = compressed("bz2");
    int header = 4; // what is shorter has no text to be cut
    for (int cut = header; cut < whole.length; cut++) {
      if (!ends.containsKey(cut)) {
        int length = cut;
        Path file = Files.write(directory.resolve("a.csv.bz2"), Arrays.copyOf(whole, length));
        IOException refusal = assertThrows(IOException.class, () -> read(file, length, length));
        assertTrue(refusal.getMessage().contains(" is cut or damaged"), refusal.getMessage());
      }
    }
  }

  @Test
  void aCutBlockOfBzip2IsNothingThatFollows() throws IOException {
    byte[] cut = compressed("bz2");
    cut[ends.lowerKey(cut.length)] = 'X'; // the header that would tell that a stream follows
    int length = cut.length - 6;
    Path file = Files.write(directory.resolve("a.csv.bz2"), Arrays.copyOf(cut, length));
    IOException refusal = assertThrows(IOException.class, () -> read(file, length, length));
    assertTrue(refusal.getMessage().contains(" is cut or damaged"), refusal.getMessage());
  }

  @Test
  void anEmptyStreamOfBzip2IsWhole() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    stream("bz2", "", out);
    Path file = Files.write(directory.resolve("a.csv.bz2"), out.toByteArray());
    assertEquals(0, read(file, out.size(), out.size()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate"})
  void cutAvroIsRefused(String codec) throws IOException {
    byte[] whole = avro(codec);
    cutEverywhere("a.avro", whole);
    cutInSplits("a.avro", whole, STRIDE);
    assertCutIsNamed("a.avro", whole);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate"})
  void avroCutAtEachByteIsRefusedInSplits(String codec) throws IOException {
    cutInSplits("a.avro", avro(codec), 1);
  }

  private byte[] avro(String codec) throws IOException {
    Schema schema =
        new Schema.Parser()
            .parse(
                "{\"type\":\"record\",\"name\":\"r\",\"fields\":"
                    + "[{\"name\":\"a\",\"type\":\"string\"}]}");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.setCodec(org.apache.avro.file.CodecFactory.fromString(codec));
      writer.create(schema, out);
      ends.put((int) writer.sync(), 0);
      for (int i = 0; i < RECORDS; i++) {
        GenericRecord record = new GenericData.Record(schema);
        record.put("a", TEXTS[i]);
        writer.append(record);
        if (i % RECORDS_OF_BLOCK == RECORDS_OF_BLOCK - 1 || i == RECORDS - 1) {
          ends.put((int) writer.sync(), i + 1);
        }
      }
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @EnumSource
  void cutSequenceFilesAreRefused(SequenceFile.CompressionType type) throws IOException {
    byte[] whole = sequenceFile(type);
    cutEverywhere("a.seq", whole);
    cutInSplits("a.seq", whole, STRIDE);
    assertCutIsNamed("a.seq", whole);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void sequenceFilesCutAtEachByteAreRefusedInSplits(SequenceFile.CompressionType type)
      throws IOException {
    cutInSplits("a.seq", sequenceFile(type), 1);
  }

  private byte[] sequenceFile(SequenceFile.CompressionType type) throws IOException {
    Path file = directory.resolve("whole.seq");
    try (SequenceFile.Writer writer =
        SequenceFile.createWriter(
            ResultSerializations.in(conf),
            SequenceFile.Writer.file(new org.apache.hadoop.fs.Path(file.toUri())),
            SequenceFile.Writer.keyClass(ImmutableBytesWritable.class),
            SequenceFile.Writer.valueClass(Result.class),
            SequenceFile.Writer.compression(type))) {
      ends.put((int) writer.getLength(), 0);
      for (int i = 0; i < RECORDS; i++) {
        append(writer, TEXTS[i]);
        if (type != SequenceFile.CompressionType.BLOCK) {
          ends.put((int) writer.getLength(), i + 1);
        }
        if (i % RECORDS_OF_BLOCK == RECORDS_OF_BLOCK - 1) {
          writer.sync();
          ends.put((int) writer.getLength(), i + 1);
        }
      }
    }
    byte[] whole = Files.readAllBytes(file);
    ends.put(whole.length, RECORDS);
    return whole;
  }

  private static void append(SequenceFile.Writer writer, String text) throws IOException {
    byte[] bytes = Bytes.toBytes(text);
    Result row =
        Result.create(
            List.of(
                CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
                    .setRow(bytes)
                    .setFamily(new byte[] {'f'})
                    .setQualifier(new byte[] {'q'})
                    .setTimestamp(7)
                    .setType(org.apache.hadoop.hbase.Cell.Type.Put)
                    .setValue(bytes)
                    .build()));
    writer.append(new ImmutableBytesWritable(bytes), row);
  }
}

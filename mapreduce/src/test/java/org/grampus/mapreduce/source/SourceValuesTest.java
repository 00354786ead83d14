package org.grampus.mapreduce.source;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.hadoop.util.HadoopOutputFile;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files of other programs have, as values of records. */
class SourceValuesTest {
  private static final LocalDateTime TIME = LocalDateTime.parse("1970-01-01T00:00:01.500");

  @TempDir java.nio.file.Path directory;

  private Path file(String name) {
    return new Path(directory.resolve(name).toUri());
  }

  private RecordSource open(String name, Set<String> wanted) throws IOException {
    long length = Files.size(directory.resolve(name));
    FileSplit split = new FileSplit(file(name), 0, length, null);
    return RecordSources.open(
        new Configuration(false), split, new SourceOptions(null, null, wanted));
  }

  @Test
  void timesOfAvroWithoutAZoneStayWithoutOne() throws IOException {
    StringBuilder fields = new StringBuilder();
    for (String unit : List.of("millis", "micros", "nanos")) {
      fields
          .append(fields.isEmpty() ? "" : ",")
          .append("{\"name\":\"" + unit + "\",\"type\":{\"type\":\"long\",\"logicalType\":")
          .append("\"local-timestamp-" + unit + "\"}}");
    }
    Schema schema =
        new Schema.Parser()
            .parse("{\"type\":\"record\",\"name\":\"r\",\"fields\":[" + fields + "]}");
    GenericRecord record = new GenericData.Record(schema);
    record.put("millis", 1_500L);
    record.put("micros", 1_500_000L);
    record.put("nanos", 1_500_000_000L);
    try (DataFileWriter<GenericRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, directory.resolve("a.avro").toFile());
      writer.append(record);
    }
    try (RecordSource source = open("a.avro", null)) {
      assertArrayEquals(new Object[] {TIME, TIME, TIME}, source.next().values());
    }
  }

  @Test
  void columnsOfParquetHaveAnyNames() throws IOException {
    MessageType schema =
        Types.buildMessage()
            .addField(
                Types.required(PrimitiveTypeName.INT64)
                    .as(LogicalTypeAnnotation.timestampType(false, TimeUnit.MICROS))
                    .named("the time (local), {a;b}=c"))
            .addField(Types.required(PrimitiveTypeName.INT64).named("not wanted"))
            .named("two words");
    Group row = new SimpleGroup(schema);
    row.add(0, 1_500_000L);
    row.add(1, 7L);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(
                HadoopOutputFile.fromPath(file("a.parquet"), new Configuration(false)))
            .withType(schema)
            .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
            .build()) {
      writer.write(row);
    }
    for (boolean all : List.of(true, false)) {
      try (RecordSource source = open("a.parquet", all ? null : Set.of(schema.getFieldName(0)))) {
        assertEquals(TIME, source.next().values()[0]);
        assertNull(source.next());
      }
    }
  }

  @Test
  void halfACharacterIsBad() throws IOException {
    String half = "\\ud" + "800";
    Files.writeString(
        directory.resolve("a.jsonl"),
        "{\"a\":\"" + half + "\"}\n{\"" + half + "\":1}\n{\"a\":\"\\ud834\\udd1e\"}\n");
    try (RecordSource source = open("a.jsonl", null)) {
      assertTrue(source.next().problem().contains("surrogate"));
      assertTrue(source.next().problem().contains("surrogate"));
      assertEquals("𝄞", source.next().values()[0]);
    }
  }

  @Test
  void emptyFilesHaveNoRecords() throws IOException {
    for (String name : List.of("a.csv", "a.tsv", "a.jsonl")) {
      Files.createFile(directory.resolve(name));
      try (RecordSource source = open(name, null)) {
        assertNull(source.next(), name);
      }
    }
  }

  @Test
  void errorsNameTheFile() throws IOException {
    Files.writeString(directory.resolve("no.seq"), "no sequence file at all");
    IOException refusal = assertThrows(IOException.class, () -> open("no.seq", null));
    assertTrue(refusal.getMessage().contains("no.seq"), refusal.getMessage());
  }
}

package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.SequenceFile;
import org.grampus.mapreduce.download.DownloadCommand;
import org.grampus.mapreduce.files.ResultSerializations;
import picocli.CommandLine;

/** A table, downloads of it by the command as a user types it, and what they have written. */
abstract class DownloadCase extends JobTest {
  static final int ROWS = 600;

  static final String COLUMNS = ":key=k:string,f:q0=a:string,f:q1=b:string,g:new=c:string";

  Path target(String name) {
    return directory.resolve(name);
  }

  /** Options, and what leads to the server. */
  List<String> arguments(String target, String... options) {
    List<String> arguments = new ArrayList<>(List.of(name.getNameAsString()));
    arguments.add("--quiet");
    if (Stream.of(options).noneMatch(option -> option.startsWith("--to="))) {
      arguments.addAll(List.of("--to", target(target).toString()));
    }
    arguments.addAll(List.of(options));
    arguments.addAll(serverOptions());
    return arguments;
  }

  /** What leads to the server. */
  List<String> serverOptions() {
    List<String> arguments = new ArrayList<>();
    Configuration conf = configuration();
    for (String key :
        List.of(
            "hbase.rootdir",
            "hbase.zookeeper.quorum",
            "hbase.zookeeper.property.clientPort",
            "hadoop.tmp.dir",
            "mapreduce.jobtracker.staging.root.dir",
            "mapreduce.client.completion.pollinterval")) {
      if (conf.get(key) != null) {
        arguments.addAll(List.of("-D", key + "=" + conf.get(key)));
      }
    }
    return arguments;
  }

  int download(String target, String... options) {
    return new CommandLine(new DownloadCommand())
        .execute(arguments(target, options).toArray(new String[0]));
  }

  /** The sentence of a download that fails. */
  String refusal(String target, String... options) {
    String said = said(1, target, options);
    assertFalse(Files.exists(target(target).resolve("_SUCCESS")));
    return said.lines().filter(line -> line.startsWith("grampus: ")).findFirst().orElseThrow();
  }

  /** The sentence of a download that cannot be asked for, without the usage behind it. */
  String misuse(String... options) {
    String said = said(2, "misuse", options);
    assertFalse(Files.exists(target("misuse")));
    return said.lines().findFirst().orElseThrow();
  }

  /** All that a download says on standard error. */
  String said(int code, String target, String... options) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(code, download(target, options));
    } finally {
      System.setErr(before);
    }
    return said.toString(StandardCharsets.UTF_8);
  }

  List<Path> parts(String target) throws IOException {
    try (Stream<Path> files = Files.list(target(target))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("part-"))
          .sorted()
          .toList();
    }
  }

  JsonObject manifest(String target) throws IOException {
    String text = Files.readString(target(target).resolve("_manifest.json"));
    return JsonParser.parseString(text).getAsJsonObject();
  }

  /** The columns of each row, as a scan through the server has them; null where there is none. */
  List<List<String>> table(Scan scan) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    try (ResultScanner scanner =
        table.getScanner(scan.addColumn(F, b("q0")).addColumn(F, b("q1")).addColumn(G, b("new")))) {
      for (Result row : scanner) {
        List<String> values = new ArrayList<>(List.of(Bytes.toString(row.getRow())));
        values.add(Bytes.toString(row.getValue(F, b("q0"))));
        values.add(Bytes.toString(row.getValue(F, b("q1"))));
        values.add(Bytes.toString(row.getValue(G, b("new"))));
        rows.add(values);
      }
    }
    return rows;
  }

  /** The rows of all parts in their order. */
  List<List<String>> csv(String target) throws IOException {
    return csv(parts(target));
  }

  static List<List<String>> csv(List<Path> files) throws IOException {
    CSVFormat format =
        CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).setNullString("").build();
    List<List<String>> rows = new ArrayList<>();
    for (Path part : files) {
      try (CSVParser parser = CSVParser.parse(part, StandardCharsets.UTF_8, format)) {
        assertEquals(List.of("k", "a", "b", "c"), parser.getHeaderNames());
        for (CSVRecord record : parser) {
          rows.add(record.toList());
        }
      }
    }
    return rows;
  }

  List<List<String>> jsonLines(String target) throws IOException {
    return jsonLines(parts(target));
  }

  static List<List<String>> jsonLines(List<Path> files) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (Path part : files) {
      for (String line : Files.readAllLines(part)) {
        JsonObject row = JsonParser.parseString(line).getAsJsonObject();
        List<String> values = new ArrayList<>();
        for (String column : List.of("k", "a", "b", "c")) {
          values.add(row.has(column) ? row.get(column).getAsString() : null);
        }
        rows.add(values);
      }
    }
    return rows;
  }

  List<String> sequences(List<Path> files) throws IOException {
    Configuration conf = ResultSerializations.in(configuration());
    List<String> rows = new ArrayList<>();
    for (Path file : files) {
      try (SequenceFile.Reader reader =
          new SequenceFile.Reader(
              conf, SequenceFile.Reader.file(new org.apache.hadoop.fs.Path(file.toUri())))) {
        Object key = reader.next((Object) null);
        while (key != null) {
          Result row = (Result) reader.getCurrentValue((Object) null);
          assertEquals(new ImmutableBytesWritable(row.getRow()), key);
          rows.add(Collected.show(row));
          key = reader.next((Object) null);
        }
      }
    }
    return rows;
  }

  Path merged(String target, String format) throws IOException {
    try (Stream<Path> files = Files.list(target(target))) {
      assertEquals(
          List.of("_SUCCESS", "_manifest.json", name.getNameAsString() + "." + format),
          files
              .map(file -> file.getFileName().toString())
              .filter(file -> !file.startsWith("."))
              .sorted()
              .toList());
    }
    return target(target).resolve(name.getNameAsString() + "." + format);
  }

  static List<List<String>> avro(List<Path> files) throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (Path file : files) {
      try (DataFileReader<GenericRecord> reader =
          new DataFileReader<>(file.toFile(), new GenericDatumReader<>())) {
        for (GenericRecord row : reader) {
          List<String> values = new ArrayList<>();
          for (String column : List.of("k", "a", "b", "c")) {
            values.add(row.get(column) == null ? null : row.get(column).toString());
          }
          rows.add(values);
        }
      }
    }
    return rows;
  }
}

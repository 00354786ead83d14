package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Downloads have the rows of a scan, and say what is wrong. */
class DownloadTest extends DownloadCase {
  @Test
  void everyFormatHasTheRowsOfAScanInTheirOrder() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    List<List<String>> expected = table(new Scan());
    assertEquals(0, download("csv", "--format=csv", "--columns=" + COLUMNS));
    assertEquals(expected, csv("csv"));
    assertEquals(3, parts("csv").size());
    assertEquals(0, download("jsonl", "--format=jsonl", "--columns=" + COLUMNS, "--splits=5"));
    assertEquals(expected, jsonLines("jsonl"));
    assertEquals(5, parts("jsonl").size());
    assertEquals(0, download("avro", "--format=avro", "--columns=" + COLUMNS, "--splits=5"));
    assertEquals(expected, avro(parts("avro")));
    assertEquals(0, download("parquet", "--format=parquet", "--columns=" + COLUMNS));
    assertEquals(expected.size(), manifest("parquet").get("rows").getAsLong());
    for (Path part : parts("parquet")) {
      byte[] bytes = Files.readAllBytes(part);
      assertEquals("PAR1", Bytes.toString(bytes, bytes.length - 4, 4));
    }
    assertTrue(Files.exists(target("csv").resolve("_SUCCESS")));
    assertFalse(Files.exists(target("csv").resolve("_download")));
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void rowsFilterAndTimesAreAScans() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    assertEquals(
        0,
        download(
            "some",
            "--format=csv",
            "--columns=" + COLUMNS,
            "--rows=" + row(100) + "," + row(400),
            "--filter=PrefixFilter('row003')",
            "--time-range=2,4"));
    Scan scan = new Scan().withStartRow(b(row(300))).withStopRow(b(row(400))).setTimeRange(2, 4);
    assertEquals(table(scan), csv("some"));
  }

  @Test
  void throughServersTheRowsAreTheSame() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    List<List<String>> expected = table(new Scan());
    String columns = "--columns=" + COLUMNS;
    assertEquals(0, download("csv", "--format=csv", columns, "--server", "--splits=4"));
    assertEquals(expected, csv("csv"));
    assertEquals(4, parts("csv").size());
    assertFalse(manifest("csv").has("snapshot"));
    assertEquals(
        0, download("some", "--format=csv", columns, "--server", "--rows=" + row(590) + ","));
    Scan last = new Scan().withStartRow(b(row(590)));
    assertEquals(table(last), csv("some"));
    assertEquals(2, download("x", "--format=csv", "--server"));
    assertEquals(2, download("x", "--format=csv", columns, "--server", "--snapshot=s"));
  }

  /** The one server of both regions has all of them; each is a part of about equal rows. */
  @Test
  void splitsAreCountedPerServer() throws Exception {
    create(b(row(100)));
    fill(ROWS);
    List<List<String>> expected = table(new Scan());
    for (String way : List.of("--direct", "--server")) {
      String[] options = {
        "--format=csv", "--columns=" + COLUMNS, way, "-D", "grampus.mapreduce.splits.per.server=3"
      };
      assertEquals(0, download("three" + way, options));
      assertEquals(expected, csv("three" + way));
      assertEquals(3, parts("three" + way).size());
      assertEquals(3, manifest("three" + way).getAsJsonArray("files").size());
    }
  }

  /** A row may be larger than what goes to the engine at once. */
  @Test
  void throughServersLargeRowsComeWhole() throws Exception {
    create();
    String large = "x".repeat(3 << 20);
    for (int i = 0; i < 3; i++) {
      table.put(new Put(b(row(i))).addColumn(F, b("q0"), b(large)).addColumn(F, b("q1"), b("v")));
    }
    assertEquals(0, download("csv", "--format=csv", "--columns=" + COLUMNS, "--server"));
    assertEquals(table(new Scan()), csv("csv"));
  }

  @Test
  void keysWithoutEffectAreNamedOnStandardError() throws Exception {
    create();
    String[] options = {
      "--format=csv",
      "--columns=" + COLUMNS,
      "-D",
      "grampus.mapreduce.split=4",
      "-D",
      "hbase.client.scanner.caching=5"
    };
    assertEquals(
        List.of(
            "grampus: warning: grampus.mapreduce.split has no effect: there is no such key",
            "grampus: warning: hbase.client.scanner.caching has no effect: a snapshot's files are"
                + " read without calls to servers"),
        said(0, "files", options).lines().filter(line -> line.startsWith("grampus: ")).toList());
  }

  /** Of a megabyte in one column and a few bytes in another one, the narrow one alone is read. */
  @Test
  void whatWasReadAndSkippedIsSaidAtTheEnd() throws Exception {
    create();
    byte[] wide = new byte[1 << 20];
    new Random(1).nextBytes(wide);
    table.put(new Put(b("r")).addColumn(F, b("q0"), b("v")).addColumn(G, b("new"), wide));
    String[] options = {"--format=csv", "--columns=f:q0=a:string"};
    PrintStream before = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertEquals(0, download("narrow", options));
    } finally {
      System.setOut(before);
    }
    String summary = said.toString(StandardCharsets.UTF_8);
    assertTrue(
        summary.contains("; read 0.0 MiB of the snapshot's files and skipped 1.0 MiB"), summary);
  }

  @Test
  void theManifestSaysWhatIsThere() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    assertEquals(0, download("m", "--format=csv", "--columns=" + COLUMNS));
    JsonObject manifest = manifest("m");
    assertEquals(name.getNameAsString(), manifest.get("table").getAsString());
    assertEquals(COLUMNS, manifest.get("columns").getAsString());
    Map<String, Long> lengths = new LinkedHashMap<>();
    manifest
        .getAsJsonArray("files")
        .forEach(
            part ->
                lengths.put(
                    part.getAsJsonObject().get("name").getAsString(),
                    part.getAsJsonObject().get("bytes").getAsLong()));
    assertEquals(
        parts("m").stream().map(p -> p.getFileName().toString()).toList(),
        List.copyOf(lengths.keySet()));
    for (Path part : parts("m")) {
      assertEquals(Files.size(part), lengths.get(part.getFileName().toString()));
    }
  }

  @Test
  void withoutColumnsThereAreThoseOfTheFiles() throws Exception {
    create();
    table.put(new Put(b("r")).addColumn(F, b("a,b"), b("1")).addColumn(G, new byte[] {0}, b("2")));
    assertEquals(0, download("found", "--format=jsonl"));
    String line = Files.readString(parts("found").get(0)).trim();
    JsonObject row = JsonParser.parseString(line).getAsJsonObject();
    assertEquals(3, row.size(), line);
    assertEquals("r", row.get("rowkey").getAsString());
  }

  @Test
  void anEmptyTableIsACompleteDownload() throws Exception {
    create();
    assertEquals(0, download("empty", "--format=parquet"));
    for (String format : List.of("parquet", "avro", "csv", "tsv", "jsonl", "seq")) {
      String target = "merged-" + format;
      assertEquals(0, download(target, "--format=" + format, "--columns=" + COLUMNS, "--merge"));
      assertTrue(Files.exists(merged(target, format)));
    }
    assertEquals(0, download("header", "--format=csv", "--columns=" + COLUMNS));
    assertEquals("k,a,b,c\r\n", Files.readString(parts("header").get(0)));
    assertEquals(0, manifest("empty").get("rows").getAsLong());
    assertTrue(Files.exists(target("empty").resolve("_SUCCESS")));
  }

  @Test
  void whatFailsIsSaidInOneSentence() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    String csv = "--format=csv";
    String bad = refusal("bad", csv, "--columns=f:q0=n:long(text)");
    assertTrue(bad.contains("row00000") || bad.contains("row00300"), bad);
    assertTrue(refusal("snap", csv, "--snapshot=none").contains("none"));
    assertFalse(Files.exists(target("bad").resolve("_download")), "nothing that could go on");
    assertTrue(refusal("family", csv, "--columns=x:q").contains("x"));
    Files.createDirectories(target("full"));
    Files.writeString(target("full").resolve("mine"), "");
    assertTrue(refusal("full", csv).contains("not empty"));
    assertEquals(0, download("twice", csv, "--columns=" + COLUMNS));
    assertEquals(1, download("twice", csv, "--columns=" + COLUMNS));
  }

  @Test
  void whatCannotBeAskedForIsSaidBeforeAnythingBegins() throws Exception {
    create();
    String csv = "--format=csv";
    Map<String, String[]> misuses = new LinkedHashMap<>();
    misuses.put("\"f\"", new String[] {csv, "--columns=f"});
    misuses.put("xml", new String[] {"--format=xml"});
    misuses.put("--resume", new String[] {csv, "--resume"});
    misuses.put("leave :nokey out", new String[] {csv, "--columns=:nokey,f:q0=a"});
    misuses.put("need the row key", new String[] {"--format=seq", "--columns=:nokey,f:q0=a"});
    misuses.put("its first key is not before its last one", new String[] {csv, "--rows=b,a"});
    misuses.put("--rows needs two values", new String[] {csv, "--rows=a,b,c"});
    misuses.put("--time-range", new String[] {csv, "--time-range=2"});
    misuses.put("\\xg", new String[] {csv, "--rows=\\xg,"});
    misuses.put("Incorrect Filter String", new String[] {csv, "--filter=PrefixFilter("});
    String unseen = "--filter=SingleColumnValueFilter('f','q2',=,'binary:v')";
    misuses.put("f:q2", new String[] {csv, "--columns=" + COLUMNS, unseen});
    for (String key :
        List.of(
            "hbase.mapreduce.scan",
            "hbase.mapreduce.scan.columns",
            "hbase.mapreduce.scan.row.start",
            "hbase.mapreduce.scan.batchsize",
            "hbase.mapreduce.inputtable",
            "hbase.TableSnapshotInputFormat.snapshot.name",
            "grampus.mapreduce.snapshot.table",
            "grampus.mapreduce.scan.filter")) {
      misuses.put(
          "-D " + key + " cannot say what is read",
          new String[] {csv, "--columns=" + COLUMNS, "-D", key + "=g:q"});
    }
    misuses.put("--compression", new String[] {csv, "--compression=zstd"});
    misuses.forEach(
        (reason, options) -> {
          String said = misuse(options);
          assertTrue(said.contains(reason), String.join(" ", options) + ": " + said);
        });
  }
}

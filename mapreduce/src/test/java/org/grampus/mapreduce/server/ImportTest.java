package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Imports have every record, or say which they have not. */
class ImportTest extends ImportCase {
  private static final String SPLIT = "mapreduce.input.fileinputformat.split.maxsize=500";

  private String value(String row, String column) throws Exception {
    try (Table read = connection.getTable(copy)) {
      Result result = read.get(new Get(b(row)));
      return Bytes.toString(result.getValue(F, b(column)));
    }
  }

  @Test
  void withoutAMappingEveryColumnIsTextOfAFamily() throws Exception {
    Path file = file("flights.csv", "year,month,carrier\n2013,7,UA\n2013,8,\n");
    assertEquals(
        0, importing(file.toString(), "default:" + copy, "--key=year,month", "--key-separator=|"));
    assertEquals("UA", value("2013|7", "carrier"));
    assertEquals(null, value("2013|8", "carrier"));
    assertEquals(2, scanned(copy, new Scan()).size());
    assertFalse(Files.exists(badDirectory()));
  }

  @Test
  void keysWithoutEffectAreNamedOnStandardError() throws Exception {
    Path file = file("a.csv", "k,v\n1,2\n");
    String[] options = {
      file.toString(), copy.toString(), "--key=k", "-D", "grampus.mapreduce.splits=4"
    };
    Refusal said = Refusal.of(() -> importing(options));
    assertEquals(0, said.code());
    assertEquals(
        "grampus: warning: grampus.mapreduce.splits has no effect: it is of jobs that read a table,"
            + " and this one does not",
        said.sentence());
  }

  @Test
  void aFailureNamesTheTableThatWasCreated() throws Exception {
    String bad = file("bad.csv", "k,v\n1,x\n").toString();
    String[] options = {bad, copy.toString(), "--columns=:key=k:string,f:v=v:long(text)"};
    String stays = "; table " + copy + ", which this import has created, stays";
    assertTrue(importRefusal(options).endsWith(stays));
    assertFalse(importRefusal(options).contains(stays), "it was there before");
  }

  @Test
  void quotedLineEndsDoNotMatterToSplits() throws Exception {
    StringBuilder text = new StringBuilder("k,v\r\n");
    for (int i = 0; i < 500; i++) {
      text.append(row(i)).append(",\"line ").append(i).append("\r\nsecond, \"\"line\"\"\"\r\n");
    }
    Path file = file("quoted.csv", text.toString());
    assertEquals(0, importing(file.toString(), copy.toString(), "--key=k", "-D", SPLIT));
    assertEquals(500, scanned(copy, new Scan()).size());
    assertEquals("line 321\r\nsecond, \"line\"", value(row(321), "v"));
  }

  /** Each split has a timestamp of its own, which its cells show. */
  @Test
  void aFileHasSplitsOfTheSizeThatIsAskedForAndEachRecordIsInOne() throws Exception {
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 500; i++) {
      text.append(row(i)).append(",value ").append(i).append('\n');
    }
    Path file = file("rows.csv", text.toString());
    assertEquals(0, importing(file.toString(), copy.toString(), "--key=k", "-D", SPLIT));
    List<Long> times = new ArrayList<>();
    try (Table read = connection.getTable(copy);
        ResultScanner scanner = read.getScanner(new Scan())) {
      scanner.forEach(row -> times.add(row.rawCells()[0].getTimestamp()));
    }
    assertEquals(500, times.size());
    assertEquals((text.length() + 499) / 500, times.stream().distinct().count());
    assertEquals(times.stream().sorted().toList(), times, "splits are parts of the file");
  }

  @Test
  void filesWithoutAHeaderAreNamed() throws Exception {
    Path file = file("old.tsv", "r1\ta\t1\nr2\tb\t2\n");
    assertEquals(
        0,
        importing(
            file.toString(),
            "--table=" + copy,
            "--header=k,x,n",
            "--columns=:key=k:string,f:x=x:string,f:n=n:int"));
    assertEquals("b", value("r2", "x"));
    assertEquals("\0\0\0\2", value("r2", "n"));
  }

  @Test
  void badRecordsAreListedAndTheOthersAreThere() throws Exception {
    StringBuilder text = new StringBuilder("k,n\n");
    for (int i = 0; i < 200; i++) {
      text.append(row(i)).append(i % 50 == 7 ? ",x" : ",1").append(i % 90 == 8 ? ",2\n" : "\n");
    }
    Path file = file("bad.csv", text.toString());
    String columns = "--columns=:key=k:string,f:n=n:int";
    String[] options = {file.toString(), "--table=" + copy, columns, "-D", SPLIT};
    String refusal = importRefusal(options);
    assertTrue(refusal.contains("bad.csv, line "), refusal);
    assertTrue(refusal.contains("--bad-max"), refusal);
    assertFalse(badRecords().isEmpty());

    List<String> more = new ArrayList<>(List.of(options));
    more.add("--bad-max=7");
    assertEquals(0, importing(more.toArray(new String[0])));
    assertEquals(193, scanned(copy, new Scan()).size());
    List<String> reasons = new ArrayList<>();
    for (String line : badRecords()) {
      JsonObject bad = JsonParser.parseString(line).getAsJsonObject();
      assertEquals(
          file.toUri().getPath(), java.net.URI.create(bad.get("file").getAsString()).getPath());
      String record = bad.get("record").getAsString();
      long place =
          bad.has("line")
              ? text.toString().lines().toList().indexOf(record) + 1
              : text.indexOf(record);
      assertEquals(place, bad.get(bad.has("line") ? "line" : "byte").getAsLong());
      reasons.add(bad.get("reason").getAsString());
    }
    assertEquals(4, reasons.stream().filter("column n: 'x' is no int"::equals).count());
    assertEquals(3, reasons.stream().filter("it has 3 fields, and not 2"::equals).count());
    more.set(more.size() - 1, "--bad-max=6");
    assertTrue(importRefusal(more.toArray(new String[0])).contains("--bad-max 6"));
  }

  @Test
  void aBadRecordIsNamedByItsLineWhateverEndsLines() throws Exception {
    String text = "k,v\n" + "1,2\n".repeat(300) + "3\n";
    for (String end : List.of("\r", "\r\n")) {
      Path file = file("bad.csv", text.replace("\n", end));
      String refusal = importRefusal(file.toString(), copy.toString(), "--key=k", "-D", SPLIT);
      assertTrue(refusal.contains("bad.csv, line 302: it has 1 fields, and not 2"), refusal);
    }
  }

  @Test
  void whatOthersLeftBesideBadRecordsIsNoConcern() throws Exception {
    Path file = file("a.csv", "k,v\n1,2\n");
    String[] options = {file.toString(), "--table=" + copy, "--key=k"};
    Path bad = Files.createDirectories(badDirectory());
    Path own = Files.writeString(bad.resolve("bad-00000.jsonl"), "of the user");
    for (String left : List.of("_failures", "20260101-000000-00000000/_failures")) {
      Path notes = Files.createDirectories(bad.resolve(left));
      Files.writeString(notes.resolve("map-0"), "no space");
    }
    assertEquals(0, importing(options));
    assertEquals(1, scanned(copy, new Scan()).size());
    String refusal = importRefusal(file("b.csv", "k,v\n1\n").toString(), options[1], options[2]);
    assertTrue(refusal.contains("it has 1 fields, and not 2"), refusal);
    assertEquals("of the user", Files.readString(own));
  }

  @Test
  void whatFailsIsSaidInOneSentence() throws Exception {
    create();
    Path file = file("a.csv", "k,v\n1,2\n");
    String to = "--table=" + name;
    String families = importRefusal(file.toString(), to, "--columns=:key=k,x:v=v,y:v=w");
    assertTrue(families.contains("lacks families: x, y; it has f, g"), families);
    String column = importRefusal(file.toString(), to, "--columns=:key=k,f:w=w");
    assertTrue(column.contains("a.csv") && column.contains("no column w"), column);
    assertTrue(importRefusal(file.toString(), to).contains("--key"));
    String missing = importRefusal(directory + "/none*.csv", to, "--key=k");
    assertTrue(missing.contains("no such file"), missing);
    String format = importRefusal(file("b.dat", "").toString(), to, "--key=k");
    assertTrue(format.contains("--format"), format);
    String parquet = importRefusal(file("b.parquet", "no").toString(), to, "--key=k");
    assertTrue(parquet.contains("b.parquet cannot be read as Parquet"), parquet);
    String avro = importRefusal(file("b.avro", "nono").toString(), to, "--key=k");
    assertTrue(avro.contains("b.avro"), avro);
    String second = file("z.avro", "nono").toString();
    String task = importRefusal(file.toString(), second, to, "--columns=:key=k,f:v=v");
    assertTrue(task.contains("z.avro cannot be read as Avro"), task);
    String twice = importRefusal(file("twice.csv", "k,v,v\n1,2,3\n").toString(), to, "--key=k");
    assertTrue(twice.contains("two columns are called v"), twice);
    assertEquals(2, importing(file.toString()));
    assertEquals(2, importing(file.toString(), to, "--columns=f"));
    assertEquals(2, importing(file.toString(), to, "--key=a,,b"));
    assertEquals(2, importing(file.toString(), to, "--key=k", "--format=xml"));
    assertEquals(2, importing(file.toString(), to, "--key=k", "--regions=0"));
    assertEquals(2, importing(file.toString(), to, "--key=k", "--staging=x"));
    assertEquals(2, importing(file.toString(), directory + "/z.avro", "--key=k"));
    assertEquals(2, importing(file.toString(), "missing.csv.gz", "--key=k"));
    assertFalse(admin.tableExists(TableName.valueOf("missing.csv.gz")));
  }

  @Test
  void whatServersRefuseIsNamed() throws Exception {
    create();
    Path file = file("large.csv", "k,v\n1," + "x".repeat(11 << 20) + "\n");
    String client = "hbase.client.keyvalue.maxsize=0"; // the server's own limit is 10 MiB
    String refusal = importRefusal(file.toString(), name.toString(), "--key=k", "-D", client);
    assertTrue(refusal.contains("has not taken 1 of 1 rows, among them 1 at "), refusal);
  }

  @Test
  void aNewTableHasFamiliesOfLaterRecordsAndFiles() throws Exception {
    Path from = Files.createDirectory(directory.resolve("files"));
    Files.writeString(
        from.resolve("a.jsonl"), "{\"k\":\"1\",\"f:v\":1}\n{\"k\":\"2\",\"g:v\":1}\n");
    Files.writeString(from.resolve("b.csv"), "");
    Files.writeString(from.resolve("c.csv"), "k,h:v\n3,1\n");
    assertEquals(0, importing(from.toString(), copy.toString(), "--key=k"));
    assertEquals(3, scanned(copy, new Scan()).size());
    assertEquals(3, admin.getDescriptor(copy).getColumnFamilyCount());
  }

  @Test
  void aNewTableHasRegionsByItsKeys() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 1000; i++) {
      lines.append("{\"k\":\"").append(row(i)).append("\",\"f:v\":").append(i).append("}\n");
    }
    Path file = file("rows.jsonl", lines.toString());
    assertEquals(0, importing(file.toString(), copy.toString(), "--key=hash(2),k", "--regions=4"));
    List<RegionInfo> regions = admin.getRegions(copy);
    assertEquals(4, regions.size());
    for (RegionInfo region : regions) {
      Scan ofRegion = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
      assertEquals(250.0, scanned(copy, ofRegion).size(), 100.0, "rows of " + region);
    }
    assertEquals(1000, scanned(copy, new Scan()).size());
  }

  @Test
  void aFileOfSeveralArgumentsIsReadOnce() throws Exception {
    Path file = file("a.tsv", "k\tv\n1\t2\n2\n");
    Path other = Files.createDirectory(directory.resolve("other"));
    String around = other + "/../a.tsv";
    String[] options = {
      file.toString(), directory + "/a.*", around, "--table=" + copy, "--key=k", "--bad-max=1"
    };
    assertEquals(0, importing(options), "the bad record counts once");
    assertEquals(1, badRecords().size());
    assertEquals(1, scanned(copy, new Scan()).size());
  }

  @Test
  void aFullDeviceOfBadRecordsEndsAnImport() throws Exception {
    Path file = file("bad.csv", "k,v\n" + "one field\n".repeat(20));
    String refusal =
        importRefusal(
            file.toString(),
            "--table=" + copy,
            "--key=k",
            "--family=f",
            "--bad-max=100",
            "--bad=full://" + badDirectory(),
            "-Dfs.full.impl=" + FullFileSystem.class.getName());
    assertTrue(refusal.contains("No space left on device"), refusal);
  }

  @Test
  void badRecordsBelowTheInputAreNoInput() throws Exception {
    Path input = Files.createDirectory(directory.resolve("input"));
    Files.writeString(input.resolve("a.jsonl"), "{\"k\":\"1\",\"v\":1}\nbad\n");
    String[] options = {
      input.toString(), "--table=" + copy, "--key=k", "--bad-max=1", "--bad=" + input
    };
    for (int run = 0; run < 2; run++) {
      List<String> arguments = new ArrayList<>(List.of(options));
      arguments.add("--quiet");
      arguments.addAll(serverOptions());
      assertEquals(
          0, new CommandLine(new ImportCommand()).execute(arguments.toArray(new String[0])));
      assertEquals(1, scanned(copy, new Scan()).size());
    }
  }

  @Test
  void aKilledImportIsRunAgain() throws Exception {
    create();
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 60_000; i++) {
      text.append(row(i)).append(",value").append(i).append('\n');
    }
    Path file = file("many.csv", text.toString());
    String[] options = {
      file.toString(),
      name.toString(),
      "--key=k",
      "--timestamp=77",
      "-D",
      "hbase.client.write.buffer=20000",
      "-D",
      "mapreduce.local.map.tasks.maximum=1"
    };
    killOnceRowsAreThere(importArguments(options));
    int before = scanned(name, new Scan()).size();
    assertTrue(before > 0 && before < 60_000, before + " rows");
    assertEquals(0, importing(options));
    List<String> rows = scanned(name, new Scan().readAllVersions());
    assertEquals(60_000, rows.size());
    assertTrue(
        rows.stream()
            .allMatch(row -> row.contains("@77!") && row.indexOf(":v@") == row.lastIndexOf(":v@")));
  }

  private void killOnceRowsAreThere(List<String> arguments) throws Exception {
    Process process = startImport(arguments);
    try {
      while (table.get(new Get(b(row(500)))).isEmpty()) {
        assertTrue(process.isAlive(), () -> importLog().toString());
        Thread.sleep(1);
      }
    } finally {
      process.destroyForcibly();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void importsMayShareADirectoryOfBadRecords() throws Exception {
    Path bad = file("bad.csv", "k,v\n1,2\n2\n");
    Path good = file("good.csv", "k,v\n1,2\n");
    CompletableFuture<Integer> first =
        CompletableFuture.supplyAsync(
            () -> importing(bad.toString(), "--table=" + copy, "--key=k", "--bad-max=1"));
    assertEquals(0, importing(good.toString(), "--table=" + name, "--key=k"));
    assertEquals(0, first.get(60, TimeUnit.SECONDS));
    assertEquals(1, badRecords().size());
    try (Stream<Path> left = Files.list(badDirectory())) {
      assertEquals(1, left.count(), "that of the import without bad records is left");
    }
  }

  @Test
  void whatIsImportedIsNewerThanWhatWasThere() throws Exception {
    create();
    table.put(new Put(b("1")).addColumn(F, b("v"), b("old")));
    Path file = file("new.csv", "k,v\n1,new\n");
    assertEquals(0, importing(file.toString(), name.toString(), "--key=k"));
    copy = name;
    assertEquals("new", value("1", "v"));
  }
}

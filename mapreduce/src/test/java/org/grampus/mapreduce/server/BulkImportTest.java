package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Imports that load column files do as those that put rows, and leave nothing behind. */
class BulkImportTest extends ImportCase {
  private static final String SPLIT = "mapreduce.input.fileinputformat.split.maxsize=500";

  @AfterEach
  void nothingStays() {
    assertFalse(Files.exists(stagingDirectory()), "the staging directory is left");
  }

  /** Two thirds of the records have a key that another one has, in this split or in another. */
  private Path withEqualKeys() throws IOException {
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 900; i++) {
      text.append(row(i * 7 % 300)).append(",value").append(i).append('\n');
    }
    return file("equal.csv", text.toString());
  }

  private List<String> lastOnes() throws IOException {
    List<String> rows = new ArrayList<>();
    for (String row : scanned(copy, new Scan())) {
      rows.add(row.replaceAll("@[0-9]+", ""));
    }
    return rows;
  }

  @Test
  void theLastOfEqualKeysCounts() throws Exception {
    Path file = withEqualKeys();
    List<String> expected = null;
    for (boolean inFiles : List.of(true, false)) {
      String[] options = {file.toString(), "--table=" + copy, "--key=k", "-D", SPLIT};
      assertEquals(0, importing(inFiles ? bulk(options) : options));
      List<String> rows = lastOnes();
      assertEquals(300, rows.size());
      for (int i = 600; i < 900; i++) {
        int number = i;
        String key = row(i * 7 % 300);
        assertTrue(
            rows.stream().anyMatch(row -> row.contains(key) && row.contains("value" + number)),
            () -> key + " is not value" + number + ", bulk " + inFiles);
      }
      assertEquals(expected == null ? rows : expected, rows);
      expected = rows;
      drop(copy);
    }
  }

  @Test
  void theLastOfEqualKeysCountsWithOneTimestamp() throws Exception {
    String[] options = {withEqualKeys().toString(), "--table=" + copy, "--key=k", "--timestamp=9"};
    assertEquals(0, importing(options));
    List<String> put = scanned(copy, new Scan());
    drop(copy);
    List<String> split = new ArrayList<>(List.of(options));
    split.addAll(List.of("-D", SPLIT, "--regions=4"));
    assertEquals(0, importing(bulk(split.toArray(new String[0]))));
    assertEquals(put, scanned(copy, new Scan().readAllVersions()));
    assertTrue(put.stream().anyMatch(row -> row.contains("value899")), put.toString());
  }

  @Test
  void theLastOfEqualKeysCountsWithinASplit() throws Exception {
    Path file = withEqualKeys();
    assertEquals(
        0, importing(bulk(file.toString(), "--table=" + copy, "--key=k", "--timestamp=9")));
    List<String> rows = scanned(copy, new Scan().readAllVersions());
    assertEquals(300, rows.size());
    for (int i = 600; i < 900; i++) {
      String key = row(i * 7 % 300);
      String value = "value" + i;
      assertTrue(
          rows.stream().anyMatch(row -> row.contains(key) && row.contains(value)),
          () -> key + " is not " + value);
    }
  }

  @Test
  void badRecordsAreListedAndTheOthersAreThere() throws Exception {
    StringBuilder text = new StringBuilder("k,n\n");
    for (int i = 0; i < 200; i++) {
      text.append(row(i)).append(i % 50 == 7 ? ",x\n" : ",1\n");
    }
    Path file = file("bad.csv", text.toString());
    String columns = "--columns=:key=k:string,f:n=n:int";
    String[] options = {file.toString(), "--table=" + copy, columns, "-D", SPLIT};
    String refusal = importRefusal(bulk(options));
    assertTrue(refusal.contains("bad.csv, line ") && refusal.contains("'x' is no int"), refusal);
    assertEquals(List.of(), scanned(copy, new Scan()), "nothing is loaded before all is written");
    List<String> more = new ArrayList<>(List.of(options));
    more.add("--bad-max=4");
    assertEquals(0, importing(bulk(more.toArray(new String[0]))));
    assertEquals(196, scanned(copy, new Scan()).size());
    assertEquals(4, badRecords().size());
  }

  @Test
  void filesWithoutRecordsLoadNothing() throws Exception {
    create();
    Path file = file("empty.csv", "k,v\n");
    assertEquals(0, importing(bulk(file.toString(), "--table=" + name, "--key=k")));
    assertEquals(List.of(), scanned(name, new Scan()));
  }

  @Test
  void whatFailsIsSaidInOneSentence() throws Exception {
    create();
    String known = "{\"k\":\"1\",\"f:v\":1}\n".repeat(200); // no look before the job comes so far
    Path file = file("a.jsonl", known + "{\"k\":\"2\",\"x:v\":1}\n");
    String family = importRefusal(bulk(file.toString(), "--table=" + name, "--key=k,f:v"));
    assertTrue(family.contains("has no family x"), family);
    assertEquals(List.of(), scanned(name, new Scan()));
    String other =
        importRefusal(
            file.toString(),
            "--table=" + name,
            "--key=k",
            "--bulk",
            "--staging=other:///x/y",
            "-D",
            "fs.other.impl=" + OtherFileSystem.class.getName());
    assertTrue(other.contains("--staging"), other);
  }

  @Test
  void familiesMayBeginWithAnUnderscore() throws Exception {
    Path file = file("a.csv", "k,v\n1,2\n");
    String columns = "--columns=:key=k:string,_f:v=v:string";
    assertEquals(0, importing(bulk(file.toString(), "--table=" + copy, columns)));
    assertEquals(1, scanned(copy, new Scan()).size());
  }

  /** As when a reducer has written to the disk of another machine. */
  @Test
  void filesThatAreNotSeenHereAreAnErrorBeforeTheLoad() throws Exception {
    create();
    Path file = file("a.csv", "k,f:v,g:v\n1,2,3\n");
    String[] options = bulk(file.toString(), "--table=" + name, "--key=k", "--family=f");
    String refusal = importRefusal(onDisk(LosingFileSystem.class, options));
    assertTrue(
        refusal.contains("written 2 column files") && refusal.contains("are 1 column files"),
        refusal);
    assertEquals(List.of(), scanned(name, new Scan()), "nothing is loaded");
  }

  /** One region's reducer has written its file, which has rows of two regions at the load. */
  @Test
  void aRegionMayBeSplitWhileTheJobRuns() throws Exception {
    create(b(row(500)));
    StringBuilder text = new StringBuilder("k,f:v,g:v\n");
    for (int i = 0; i < 1000; i++) {
      text.append(row(i)).append(",value").append(i).append(",more\n");
    }
    String[] options =
        bulk(file("a.csv", text.toString()).toString(), "--table=" + name, "--key=k");
    SplittingFileSystem.once(() -> splitOnTheWay(row(250)));
    assertEquals(0, importing(onDisk(SplittingFileSystem.class, options)));
    assertFalse(SplittingFileSystem.isAhead(), "the region was not split");
    assertEquals(3, admin.getRegions(name).size());
    List<String> rows = inOrder(name, new Scan());
    assertEquals(1000, rows.size());
    for (int i = 0; i < 1000; i++) {
      assertTrue(rows.get(i).startsWith(row(i)) && rows.get(i).contains("=value" + i + " "));
      assertTrue(rows.get(i).endsWith("=more"), rows.get(i));
    }
  }

  @Test
  void whatCannotBeTidiedUpIsNoError() throws Exception {
    Path file = file("a.csv", "k,v\n1,2\n");
    String[] options =
        onDisk(StickyFileSystem.class, file.toString(), "--table=" + copy, "--key=k");
    assertEquals(0, importing(options));
    assertEquals(0, importing(bulk(options)));
    assertEquals(1, scanned(copy, new Scan()).size());
    assertTrue(Files.exists(stagingDirectory()), "the file system leaves it");
    FileUtils.deleteDirectory(stagingDirectory().toFile());
  }

  @Test
  void anImportThatIsEndedTakesItsFilesAway() throws Exception {
    create();
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 200_000; i++) {
      text.append(row(i)).append(",value").append(i).append('\n');
    }
    Path file = file("many.csv", text.toString());
    Process process =
        startImport(
            importArguments(
                bulk(
                    file.toString(),
                    "--table=" + name,
                    "--key=k",
                    "-D",
                    "mapreduce.local.map.tasks.maximum=1",
                    "-D",
                    "mapreduce.input.fileinputformat.split.maxsize=100000")));
    try {
      while (!isJobSetUp()) {
        assertTrue(process.isAlive(), () -> importLog() + " says why");
        Thread.sleep(1);
      }
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS));
    } finally {
      process.destroyForcibly();
    }
    assertNotEquals(0, process.exitValue());
    assertEquals(List.of(), scanned(name, new Scan()));
  }

  /** Whether a directory of column files is there. */
  private boolean isJobSetUp() throws IOException {
    if (!Files.exists(stagingDirectory())) {
      return false;
    }
    try (Stream<Path> imports = Files.list(stagingDirectory())) {
      return imports.anyMatch(each -> Files.exists(each.resolve("files")));
    }
  }

  @Test
  void whenOneRegionFailsTheImportIsRunAgain() throws Exception {
    create(b(row(5)));
    StringBuilder text = new StringBuilder("k,v\n");
    for (int i = 0; i < 10; i++) {
      text.append(row(i)).append(",value").append(i).append('\n');
    }
    String[] options = {
      file("a.csv", text.toString()).toString(), "--table=" + name, "--key=k", "--timestamp=9"
    };
    byte[] closed =
        connection.getRegionLocator(name).getRegionLocation(b(row(7))).getRegion().getRegionName();
    admin.unassign(closed);
    List<String> impatient = new ArrayList<>(List.of(options));
    impatient.addAll(List.of("-D", "hbase.client.retries.number=1"));
    String refusal = importRefusal(bulk(impatient.toArray(new String[0])));
    assertTrue(refusal.contains("may have their rows; run the import again"), refusal);
    assertEquals(5, scanned(name, new Scan().withStopRow(b(row(5)))).size());
    admin.assign(closed);
    assertEquals(0, importing(bulk(options)));
    assertEquals(10, scanned(name, new Scan().readAllVersions()).size());
  }

  @Test
  void columnFilesBelowTheInputAreNoInput() throws Exception {
    Path input = Files.createDirectory(directory.resolve("input"));
    Files.writeString(input.resolve("a.csv"), "k,v\n1,2\n");
    List<String> options =
        importArguments(input.toString(), "--table=" + copy, "--key=k", "--format=csv");
    options.addAll(List.of("--bulk", "--staging=" + input));
    assertEquals(0, new CommandLine(new ImportCommand()).execute(options.toArray(new String[0])));
    assertEquals(1, scanned(copy, new Scan()).size());
    try (Stream<Path> left = Files.list(input)) {
      assertEquals(List.of(input.resolve("a.csv")), left.toList());
    }
  }

  @Test
  void aLoadThatFailsLeavesNothing() throws Exception {
    create();
    Path file = file("a.csv", "k,v\n1,2\n");
    String none = "hbase.mapreduce.bulkload.max.hfiles.perRegion.perFamily=0";
    String refusal = importRefusal(bulk(file.toString(), "--table=" + name, "--key=k", "-D", none));
    assertTrue(refusal.contains("more than 0 hfiles"), refusal);
    assertTrue(refusal.contains("run the import again"), refusal);
    assertFalse(refusal.contains(stagingDirectory().toString()), refusal);
    assertEquals(List.of(), scanned(name, new Scan()));
  }
}

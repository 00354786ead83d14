package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.tool.LoadIncrementalHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.grampus.engine.ColumnFileReport;
import org.grampus.mapreduce.load.BulkLoadJob;
import org.grampus.mapreduce.load.ColumnFileLoader;
import org.grampus.mapreduce.load.LoadSummary;
import org.junit.jupiter.api.Test;

/** Bulk loads of column files: by HBase's own tool, by ours, and as the end of a job. */
class BulkLoadTest extends JobTest {
  private static final String SEPARATOR = ",";

  private Path output() {
    return new Path(directory.resolve("out").toUri());
  }

  /** A file with the rows of these numbers in one column. */
  private void write(byte[] family, String value, int from, int until) throws IOException {
    ColumnFileReport report =
        WrittenFiles.write(
            output(), configuration(), table.getDescriptor(), family, value, from, until);
    assertEquals(until - from, report.rows());
    assertEquals(row(from), Bytes.toString(report.firstRow()));
    assertEquals(row(until - 1), Bytes.toString(report.lastRow()));
  }

  private List<String> expected(String value, int from, int until) throws IOException {
    TableName twin = TableName.valueOf(name.getNameAsString() + "-twin");
    admin.createTable(TableDescriptorBuilder.copy(twin, table.getDescriptor()));
    try (Table other = connection.getTable(twin)) {
      List<Put> puts = new ArrayList<>();
      for (int n = from; n < until; n++) {
        puts.add(new Put(b(row(n))).addColumn(F, b("q"), 5, b(value + n)));
      }
      other.put(puts);
      return scanned(twin, new Scan());
    } finally {
      drop(twin);
    }
  }

  /** Files of a family that a loader would see. */
  private List<String> left(String family) throws IOException {
    try (Stream<java.nio.file.Path> found = Files.list(directory.resolve("out/" + family))) {
      return found
          .map(file -> file.getFileName().toString())
          .filter(file -> !file.startsWith("."))
          .toList();
    }
  }

  @Test
  void hbasesToolLoadsColumnFiles() throws Exception {
    create(b(row(100)), b(row(200)));
    write(F, "v", 0, 100);
    write(F, "v", 100, 200);
    write(F, "v", 200, 300);
    var loaded = new BulkLoadHFilesTool(configuration()).bulkLoad(name, output());
    assertEquals(3, loaded.size());
    assertEquals(List.of(), left("f"));
    assertEquals(expected("v", 0, 300), scanned(name, new Scan()));
    try (Stream<java.nio.file.Path> staging = Files.list(server.rootDir().resolve("staging"))) {
      assertEquals(0, staging.count(), "the tool has cleaned up");
    }
  }

  /** Splits a region after the tool has looked at the regions, and before its first call. */
  @SuppressWarnings("deprecation") // the tool's own class has the hook
  private final class SplitOnTheWay extends BulkLoadHFilesTool {
    private int calls;

    SplitOnTheWay(Configuration conf) {
      super(conf);
    }

    @Override
    protected List<LoadIncrementalHFiles.LoadQueueItem> tryAtomicRegionLoad(
        Connection tools,
        TableName target,
        byte[] first,
        Collection<LoadIncrementalHFiles.LoadQueueItem> items,
        boolean copy)
        throws IOException {
      if (calls++ == 0) {
        try {
          splitAt(row(50));
        } catch (Exception e) {
          throw new IllegalStateException(e);
        }
      }
      return super.tryAtomicRegionLoad(tools, target, first, items, copy);
    }
  }

  @Test
  void hbasesToolLooksAgainAfterASplitOnTheWay() throws Exception {
    create();
    write(F, "v", 0, 50);
    write(F, "v", 50, 100);
    SplitOnTheWay tool = new SplitOnTheWay(configuration());
    tool.bulkLoad(name, output());
    assertTrue(tool.calls > 1, "the first call named files of two regions");
    assertEquals(2, admin.getRegions(name).size());
    assertEquals(expected("v", 0, 100), scanned(name, new Scan()));
  }

  @Test
  void aRegionTakesMoreFilesThanHBasesToolAllows() throws Exception {
    create();
    int files = 32 + 3;
    for (int file = 0; file < files; file++) {
      write(F, "v", file, file + 1);
    }
    assertEquals(files, new ColumnFileLoader(connection, name).load(output()).files());
    assertEquals(expected("v", 0, files), scanned(name, new Scan()));
  }

  @Test
  void namesOfFamiliesMayBeginWithAnUnderscore() throws Exception {
    byte[] hidden = b("_f");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(hidden))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(G))
            .build(),
        new byte[][] {b(row(5))});
    write(hidden, "v", 0, 10);
    write(G, "v", 0, 10);
    assertEquals(4, new ColumnFileLoader(connection, name).load(output()).files());
    assertEquals(10, scanned(name, new Scan().addFamily(hidden)).size());
    assertEquals(List.of(), left("_f"));
  }

  @Test
  void hbasesToolFailsAtAFileOfSeveralRegionsAndOursCutsIt() throws Exception {
    create(b(row(100)), b(row(200)));
    write(F, "v", 50, 250);
    write(G, "g", 120, 130);
    Configuration impatient = configuration();
    impatient.setInt("hbase.client.retries.number", 1);
    impatient.setInt("hbase.bulkload.retries.number", 2);
    assertThrows(Exception.class, () -> new BulkLoadHFilesTool(impatient).bulkLoad(name, output()));
    assertTrue(scanned(name, new Scan().addFamily(F)).isEmpty());
    // A loader was killed while it cut.
    Files.writeString(directory.resolve("out/f/_" + left("f").get(0) + ".cut-0a"), "a part");
    LoadSummary summary = new ColumnFileLoader(connection, name).load(output());
    assertEquals(1, summary.cut());
    assertEquals(3, summary.regions());
    assertEquals(expected("v", 50, 250), scanned(name, new Scan().addFamily(F)));
    assertEquals(List.of(), left("f"));
    assertEquals(List.of(), left("g"));
  }

  /**
   * The tool finds a file of two regions that had one when it was looked at, and asks for a cut.
   */
  @Test
  void oursCutsAFileWhoseRegionIsSplitOnTheWay() throws Exception {
    create(b(row(200)));
    write(F, "v", 0, 100);
    write(G, "g", 40, 60);
    write(F, "v", 200, 250);
    LateRegions late =
        new LateRegions(
            connection,
            look -> {
              if (look == 1) {
                splitOnTheWay(row(50));
              }
            });
    LoadSummary summary = new ColumnFileLoader(late.connection(), name).load(output());
    assertEquals(2, late.looks(), "rounds of the loader");
    assertEquals(2, summary.cut());
    assertEquals(3, summary.regions());
    assertEquals(expected("v", 0, 100), scanned(name, upTo(100).addFamily(F)));
    assertEquals(50, scanned(name, new Scan().withStartRow(b(row(200)))).size());
    assertEquals(5, summary.files(), "g has two, whose cells are over");
    assertEquals(List.of(), left("f"));
    assertEquals(List.of(), left("g"));
  }

  /** The other loader comes to its end, so the table has all rows; but this one cannot know it. */
  @Test
  void oursMissesWhatAnotherLoaderTakesBesideASplit() throws Exception {
    create(b(row(200)));
    write(F, "v", 0, 100);
    write(F, "v", 200, 250);
    LateRegions late =
        new LateRegions(
            connection,
            look -> {
              splitOnTheWay(row(50));
              new ColumnFileLoader(connection, name).load(output());
            });
    ColumnFileLoader loader = new ColumnFileLoader(late.connection(), name);
    IOException error = assertThrows(IOException.class, () -> loader.load(output()));
    assertTrue(error.getMessage().contains("of 2 it is not known"), error.getMessage());
    assertEquals(1, late.looks());
    assertEquals(150, scanned(name, new Scan()).size());
    IOException again =
        assertThrows(
            IOException.class, () -> new ColumnFileLoader(connection, name).load(output()));
    assertTrue(again.getMessage().contains("whether 2 files"), again.getMessage());
  }

  /** The regions that it knows make it cut a file which is gone. */
  @Test
  void oursMissesAFileThatAnotherLoaderTakesBeforeTheCut() throws Exception {
    create(b(row(50)));
    write(F, "v", 0, 100);
    LateRegions late =
        new LateRegions(connection, look -> new ColumnFileLoader(connection, name).load(output()));
    ColumnFileLoader loader = new ColumnFileLoader(late.connection(), name);
    IOException error = assertThrows(IOException.class, () -> loader.load(output()));
    assertTrue(error.getMessage().contains("of 1 it is not known"), error.getMessage());
    assertEquals(expected("v", 0, 100), scanned(name, new Scan()));
  }

  private static Scan upTo(int number) {
    return new Scan().withStopRow(b(row(number)));
  }

  /** Whatever the regions do, a loader does not go on for ever. */
  @Test
  void oursGivesUpWhenRegionsAreSplitInEveryRound() throws Exception {
    create();
    write(F, "v", 0, 100);
    Configuration conf = configuration();
    conf.setInt("hbase.bulkload.retries.number", 2);
    Deque<String> at = new ArrayDeque<>(List.of(row(50), row(25)));
    try (Connection impatient = ConnectionFactory.createConnection(conf)) {
      LateRegions late = new LateRegions(impatient, look -> splitOnTheWay(at.pop()));
      ColumnFileLoader loader = new ColumnFileLoader(late.connection(), name);
      IOException error = assertThrows(IOException.class, () -> loader.load(output()));
      assertTrue(error.getMessage().contains("is not complete"), error.getMessage());
      assertEquals(2, late.looks());
    }
    assertEquals(2, left("f").size(), "pieces of the first round");
    assertEquals(3, new ColumnFileLoader(connection, name).load(output()).regions());
    assertEquals(expected("v", 0, 100), scanned(name, new Scan()));
  }

  @Test
  void aDirectoryWhoseFilesAnotherLoaderHasIsNotLoaded() throws Exception {
    create();
    write(F, "v", 0, 10);
    ColumnFileLoader loader = new ColumnFileLoader(connection, name);
    loader.load(output());
    assertEquals(0, loader.load(output()).files(), "all is in the table");
    java.nio.file.Path mark = Files.createFile(directory.resolve("out/_loading"));
    // The other one has begun to write its mark. Files that are left do not say which it has taken.
    for (int round = 0; round < 2; round++) {
      IOException error = assertThrows(IOException.class, () -> loader.load(output()));
      assertTrue(error.getMessage().contains("another load of"), error.getMessage());
      write(F, "v", 10 + round, 11 + round);
    }
    Files.delete(mark);
    assertEquals(2, loader.load(output()).files());
    assertFalse(Files.exists(mark));
    assertEquals(expected("v", 0, 12), scanned(name, new Scan()));
  }

  @Test
  void aFileThatCannotBeLoadedIsNamedAndStays() throws Exception {
    create();
    write(F, "v", 0, 10);
    java.nio.file.Path unknown = Files.createDirectories(directory.resolve("out/unknown"));
    java.nio.file.Path file;
    try (Stream<java.nio.file.Path> found = Files.list(directory.resolve("out/f"))) {
      file =
          found.filter(f -> !f.getFileName().toString().startsWith(".")).findFirst().orElseThrow();
    }
    java.nio.file.Path moved = Files.move(file, unknown.resolve("0a"));
    IOException error =
        assertThrows(
            IOException.class, () -> new ColumnFileLoader(connection, name).load(output()));
    assertTrue(error.getMessage().contains("unknown"), error.getMessage());
    assertTrue(Files.exists(moved));
    assertTrue(scanned(name, new Scan()).isEmpty());
  }

  /** A line is a row, a family, a qualifier, a timestamp and a value. */
  public static final class Lines extends Mapper<LongWritable, Text, ImmutableBytesWritable, Put> {
    @Override
    protected void map(LongWritable at, Text line, Context context)
        throws IOException, InterruptedException {
      Put put = put(line.toString());
      context.write(new ImmutableBytesWritable(put.getRow()), put);
    }
  }

  private static Put put(String line) {
    String[] fields = line.split(SEPARATOR, -1);
    return new Put(b(fields[0]))
        .addColumn(b(fields[1]), b(fields[2]), Long.parseLong(fields[3]), b(fields[4]));
  }

  /** Rows in no order, with several versions of several columns in two families. */
  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    long now = System.currentTimeMillis();
    for (int i = 0; i < 1500; i++) {
      int n = i * 7919 % 500;
      lines.add(String.join(SEPARATOR, row(n), "f", "q" + i % 3, "" + (1 + i % 7), "value" + n));
      lines.add(String.join(SEPARATOR, row(n), "g", "q", "" + now, "g" + n));
    }
    return lines;
  }

  @Test
  void whatAJobLoadsEqualsWhatPutsWrite() throws Exception {
    create(b(row(100)), b(row(300)));
    List<String> lines = lines();
    java.nio.file.Path input = directory.resolve("lines.txt");
    Files.write(input, lines, StandardCharsets.UTF_8);
    Job job = Job.getInstance(configuration(), "lines");
    FileInputFormat.addInputPath(job, new Path(input.toUri()));
    job.setMapperClass(Lines.class);
    job.setMapOutputKeyClass(ImmutableBytesWritable.class);
    job.setMapOutputValueClass(Put.class);
    LoadSummary summary = BulkLoadJob.run(job, connection, name, output(), false);
    assertEquals(3, summary.regions());
    assertEquals(6, summary.files(), "one for each family of each region");
    assertTrue(summary.bytes() > 0);
    assertFalse(Files.exists(directory.resolve("out")));
    List<String> loaded = scanned(name, new Scan().readAllVersions());
    TableName twin = TableName.valueOf(name.getNameAsString() + "-twin");
    admin.createTable(TableDescriptorBuilder.copy(twin, table.getDescriptor()));
    try (Table other = connection.getTable(twin)) {
      for (String line : lines) {
        other.put(put(line));
      }
      assertEquals(scanned(twin, new Scan().readAllVersions()), loaded);
    } finally {
      drop(twin);
    }
    // They are files like all others.
    admin.majorCompact(name);
    admin.snapshot(name + "-snapshot", name);
    TableName clone = TableName.valueOf(name + "-clone");
    admin.cloneSnapshot(name + "-snapshot", clone);
    try {
      assertEquals(loaded, scanned(clone, new Scan().readAllVersions()));
      splitAt(row(200));
      assertEquals(loaded, scanned(name, new Scan().readAllVersions()));
    } finally {
      drop(clone);
      admin.deleteSnapshot(name + "-snapshot");
    }
  }
}

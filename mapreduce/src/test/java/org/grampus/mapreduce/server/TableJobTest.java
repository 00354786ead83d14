package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.NullOutputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.compat.protocol.PiecesReply;
import org.grampus.compat.protocol.PiecesRequest;
import org.grampus.compat.protocol.SplitService;
import org.grampus.mapreduce.input.TableInputFormat;
import org.junit.jupiter.api.Test;

/** Jobs through the server, beside HBase's own format. */
class TableJobTest extends JobTest {
  private static final int ROWS = 400;

  private static Scan all() {
    return new Scan().readAllVersions();
  }

  private void putHighKeys() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int first = 0; first < 256; first += 5) {
      puts.add(new Put(new byte[] {(byte) first, 1}).addColumn(F, b("q"), b("v")));
    }
    for (String key : List.of("\\xFF", "\\xFFa", "\\xFF\\xFF", "\\xFF\\xFF\\xFF\\x00")) {
      puts.add(new Put(Bytes.toBytesBinary(key)).addColumn(F, b("q"), b("v")));
    }
    table.put(puts);
  }

  @Test
  void rowsBehindTheHighestByteAreLostByHBasesFormatAndNotByOurs() throws Exception {
    create();
    putHighKeys();
    Configuration conf = configuration();
    conf.setInt(TableInputFormatBase.NUM_MAPPERS_PER_REGION, 3);
    List<String> expected = scanned(name, all());
    List<String> stock =
        run(job(conf, org.apache.hadoop.hbase.mapreduce.TableInputFormat.class, all()));
    assertEquals(expected.size() - 5, stock.size(), "if this fails, HBase has mended it");
    conf = configuration();
    conf.setInt(TableInputFormatBase.NUM_MAPPERS_PER_REGION, 3);
    assertEquals(expected, run(job(conf, TableInputFormat.class, all())));
  }

  @Test
  void theEndsOfAScanAreKept() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    for (Scan scan :
        List.of(
            all().withStartRow(b(row(50)), false).withStopRow(b(row(200)), true),
            all().withStartRow(b(row(99)), false).withStopRow(b(row(100)), true),
            all().withStartRow(b(row(150))).withStopRow(b(row(150)), true),
            all().setReversed(true).withStartRow(b(row(250))).withStopRow(b(row(50))))) {
      for (int mappers : new int[] {1, 3}) {
        Configuration conf = configuration();
        conf.setInt(TableInputFormatBase.NUM_MAPPERS_PER_REGION, mappers);
        List<String> expected = scanned(name, scan);
        assertEquals(expected, run(job(conf, TableInputFormat.class, scan)), scan.toString());
      }
    }
  }

  @Test
  void rowsOfSeveralRegionsComeInTheOrderOfTheScan() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    for (Scan scan : List.of(all().setBatch(2), all().setReversed(true))) {
      oneTaskReadsInOrder(job(configuration(), TableInputFormat.class, scan), scan);
    }
  }

  @Test
  void splitsAreAsManyAsTheJobWants() throws Exception {
    create(b(row(100)), b(row(200)), b(row(300)));
    fill(ROWS);
    List<String> expected = scanned(name, all());
    assertEquals(4, splits(configuration()).size(), "one for each region, as HBase's format");
    for (int wanted : new int[] {1, 3, 10}) {
      Configuration conf = configuration();
      conf.setInt("grampus.mapreduce.splits", wanted);
      assertEquals(wanted, splits(conf).size());
      assertEquals(expected, run(job(conf, TableInputFormat.class, all())));
    }
    Configuration conf = configuration();
    conf.setInt("grampus.mapreduce.splits.per.server", 2);
    assertEquals(2, splits(conf).size());
  }

  /** Decimal keys of six digits, of which one in twenty has nine tenths of the rows. */
  private List<byte[]> putSkewed() throws IOException {
    List<byte[]> rows = new ArrayList<>();
    for (int key = 0; key < 1_000_000; key += key >= 400_000 && key < 450_000 ? 9 : 1_583) {
      rows.add(b(String.format("%06d", key)));
    }
    Random random = new Random(7);
    byte[] value = new byte[768];
    List<Put> puts = new ArrayList<>();
    for (byte[] row : rows) {
      random.nextBytes(value);
      puts.add(new Put(row).addColumn(F, b("q"), Base64.getEncoder().encode(value)));
    }
    for (int from = 0; from < puts.size(); from += 500) {
      table.put(puts.subList(from, Math.min(puts.size(), from + 500)));
    }
    return rows;
  }

  private static long rowsIn(TableSplit split, List<byte[]> rows) {
    byte[] end = split.getEndRow();
    return rows.stream()
        .filter(row -> Bytes.compareTo(row, split.getStartRow()) >= 0)
        .filter(row -> end.length == 0 || Bytes.compareTo(row, end) < 0)
        .count();
  }

  private static void assertEqualSplits(List<InputSplit> splits, List<byte[]> rows) {
    double ideal = rows.size() / 8.0;
    assertEquals(8, splits.size());
    for (InputSplit split : splits) {
      assertEquals(ideal, (double) rowsIn((TableSplit) split, rows), ideal / 5, split.toString());
    }
  }

  private void assertEqualSplits(Configuration conf, List<byte[]> rows) throws Exception {
    conf.setInt("grampus.mapreduce.splits", 8);
    assertEqualSplits(splits(conf), rows);
  }

  @Test
  void splitsHaveEqualBytesAlsoWhereKeysHaveNot() throws Exception {
    create();
    List<byte[]> rows = putSkewed();
    assertEqualSplits(configuration(), rows); // in memory
    admin.flush(name);
    Configuration conf = configuration();
    assertEqualSplits(conf, rows);
    assertEquals(scanned(name, all()), run(job(conf, TableInputFormat.class, all())));
    conf = configuration();
    conf.setInt("grampus.mapreduce.splits", 8);
    conf.setBoolean("grampus.mapreduce.splits.by.bytes", false);
    List<InputSplit> byKeys = splits(conf);
    assertEquals(8, byKeys.size());
    assertTrue(hasOneWithMostRows(byKeys, rows));
  }

  private static boolean hasOneWithMostRows(List<InputSplit> splits, List<byte[]> rows) {
    return splits.stream().anyMatch(s -> rowsIn((TableSplit) s, rows) > rows.size() / 2);
  }

  /** With the key that HBase's format has for it, which ours understands. */
  @Test
  void hbasesFormatGivesOneSplitMostRowsOfSkewedDecimalKeys() throws Exception {
    create();
    List<byte[]> rows = putSkewed();
    admin.flush(name);
    Configuration perRegion = configuration();
    perRegion.setInt(TableInputFormatBase.NUM_MAPPERS_PER_REGION, 8);
    List<InputSplit> stock = stockSplits(perRegion);
    assertEquals(8, stock.size());
    assertTrue(hasOneWithMostRows(stock, rows), "if this fails, HBase has mended it");
    assertEqualSplits(splits(perRegion), rows);
  }

  private List<InputSplit> stockSplits(Configuration conf) throws Exception {
    var format = new org.apache.hadoop.hbase.mapreduce.TableInputFormat();
    Job job = job(conf, org.apache.hadoop.hbase.mapreduce.TableInputFormat.class, all());
    format.setConf(job.getConfiguration());
    return format.getSplits(job);
  }

  @Test
  void splitsOfTheOldApiHaveEqualBytesToo() throws Exception {
    create();
    List<byte[]> rows = putSkewed();
    admin.flush(name);
    JobConf job = new JobConf(configuration());
    FileInputFormat.setInputPaths(job, name.getNameAsString());
    job.setInt("grampus.mapreduce.splits", 4);
    var splits = new org.grampus.mapreduce.mapred.TableInputFormat().getSplits(job, 1);
    assertEquals(4, splits.length);
    double ideal = rows.size() / 4.0;
    for (var split : splits) {
      var of = (org.apache.hadoop.hbase.mapred.TableSplit) split;
      TableSplit same =
          new TableSplit(name, null, of.getStartRow(), of.getEndRow(), of.getRegionLocation());
      assertEquals(ideal, (double) rowsIn(same, rows), ideal / 5, split.toString());
    }
  }

  private PiecesReply pieces(String row) throws IOException {
    return SplitService.getPieces(table.coprocessorService(b(row)), new PiecesRequest(1));
  }

  @Test
  void aClientThatKnowsARegionOfBeforeASplitFindsItsDaughters() throws Exception {
    create();
    fill(ROWS);
    assertTrue(pieces(row(0)).endKey().isEmpty());
    splitAt(row(200));
    PiecesReply first = pieces(row(0));
    assertEquals(row(200), first.endKey().toStringUtf8());
    assertTrue(first.pieces().size() > 1);
    assertTrue(pieces(row(200)).endKey().isEmpty());
  }

  /** Plans over and over until it is told to stop; returns how often. */
  private int planUntil(AtomicBoolean changed) throws Exception {
    int plans = 0;
    do {
      Configuration conf = configuration();
      conf.setInt("grampus.mapreduce.splits", 8);
      byte[] end = new byte[0];
      for (InputSplit split : splits(conf)) {
        assertArrayEquals(end, ((TableSplit) split).getStartRow(), "plan " + plans);
        end = ((TableSplit) split).getEndRow();
      }
      assertEquals(0, end.length, "plan " + plans);
      plans++;
    } while (!changed.get());
    return plans;
  }

  @Test
  void splitsAreTheTableWhileItIsFlushedCompactedAndSplit() throws Exception {
    create();
    List<byte[]> rows = putSkewed();
    admin.flush(name);
    AtomicBoolean changed = new AtomicBoolean();
    ExecutorService planner = Executors.newSingleThreadExecutor();
    try {
      Future<Integer> plans = planner.submit(() -> planUntil(changed));
      fill(20);
      admin.majorCompact(name);
      splitAt("420000");
      changed.set(true);
      assertTrue(plans.get(60, TimeUnit.SECONDS) > 0);
    } finally {
      changed.set(true);
      planner.shutdownNow();
    }
    Configuration conf = configuration();
    conf.setInt("grampus.mapreduce.splits", 8);
    List<String> expected = scanned(name, all());
    assertTrue(expected.size() > rows.size());
    assertEquals(expected, run(job(conf, TableInputFormat.class, all())));
  }

  /** The region is split by its first row's mapper, whose scanner is lost with the region. */
  @Test
  void aTableIsReadWhileItsRegionIsSplit() throws Exception {
    create();
    fill(ROWS);
    List<String> expected = scanned(name, all());
    Configuration conf = configuration();
    AtomicInteger rows = new AtomicInteger();
    Collected.work(
        conf.get(Collected.RUN_KEY),
        row -> {
          if (rows.incrementAndGet() == 1) {
            splitOnTheWay(row(ROWS / 2));
          }
        });
    Job job = slowJob(conf, 10);
    assertEquals(expected, run(job));
    assertEquals(2, admin.getRegions(name).size());
    assertTrue(scanners(job) > 1, "the scanner was not lost");
  }

  private List<InputSplit> splits(Configuration conf) throws Exception {
    TableInputFormat format = new TableInputFormat();
    Job job = job(conf, TableInputFormat.class, all());
    format.setConf(job.getConfiguration());
    List<InputSplit> splits = format.getSplits(job);
    for (InputSplit split : splits) {
      assertTrue(split.getLength() > 0);
      assertEquals(1, split.getLocations().length);
    }
    return splits;
  }

  @Test
  void batchesAndColumnsOfKeysAreAsOfAServersScan() throws Exception {
    create(b(row(200)));
    fill(ROWS);
    Configuration conf = configuration();
    conf.set("hbase.mapreduce.scan.columns", "f:q1 g");
    conf.setInt("hbase.mapreduce.scan.maxversions", 3);
    conf.setInt("hbase.mapreduce.scan.batchsize", 2);
    Scan same = new Scan().addColumn(F, b("q1")).addFamily(G).readVersions(3).setBatch(2);
    Job job = job(conf, TableInputFormat.class, null);
    assertEquals(scanned(name, same), run(job));
    assertTrue(job.getCounters().findCounter("HBaseCounters", "RPC_CALLS").getValue() > 0);
    assertTrue(job.getCounters().findCounter("Grampus", "SERVER_NANOS").getValue() > 0);
    assertEquals(0, job.getCounters().findCounter("Grampus", "ENGINE_NANOS").getValue());
    assertEquals("2 (job)", job.getConfiguration().get("grampus.mapreduce.scan.effective.batch"));
    assertEquals(
        2,
        job.getCounters().findCounter("Grampus settings", "batch = 2 (job)").getValue(),
        "tasks");
    long rows = scanned(name, new Scan()).size();
    assertEquals(rows, job.getCounters().findCounter("Grampus", "ROWS").getValue());
  }

  /** One row of a call, so that each asks the server. */
  private Job slowJob(Configuration conf, int rowsPerCall) throws IOException {
    return job(conf, TableInputFormat.class, all().setCaching(rowsPerCall));
  }

  /** How many scanners a job over one region has opened: the client counts each as a region. */
  private static long scanners(Job job) throws IOException {
    return job.getCounters().findCounter("HBaseCounters", "REGIONS_SCANNED").getValue();
  }

  @Test
  void aMapperMayWorkOnARowForLongerThanALease() throws Exception {
    create();
    fill(8);
    Configuration conf = configuration();
    AtomicInteger rows = new AtomicInteger();
    Collected.work(
        conf.get(Collected.RUN_KEY),
        row -> {
          if (rows.incrementAndGet() == 3) {
            Thread.sleep(JobServer.LEASE_MILLIS + JobServer.LEASE_MILLIS / 2);
          }
        });
    Job job = slowJob(conf, 1);
    assertEquals(scanned(name, all()), run(job));
    assertTrue(scanners(job) > 1, "the lease was not over");
  }

  @Test
  void aMapperThatIsSlowWithManyRowsKeepsItsScanner() throws Exception {
    create();
    fill(8);
    List<String> expected = scanned(name, all());
    Configuration conf = configuration();
    conf.setInt("hbase.client.scanner.timeout.period", JobServer.LEASE_MILLIS);
    AtomicInteger rows = new AtomicInteger();
    Collected.work(
        conf.get(Collected.RUN_KEY),
        row -> {
          if (rows.incrementAndGet() <= 5) {
            Thread.sleep(JobServer.LEASE_MILLIS * 3 / 10);
          }
        });
    Job job = slowJob(conf, 5);
    assertEquals(expected, run(job));
    assertTrue(job.getCounters().findCounter("Grampus", "LEASE_RENEWALS").getValue() > 0);
    assertEquals(1, scanners(job));
  }

  @Test
  void theOldApiReadsTheSame() throws Exception {
    create(b(row(100)), b(row(200)), b(row(300)));
    fill(ROWS);
    JobConf job = new JobConf(configuration());
    job.setInputFormat(org.grampus.mapreduce.mapred.TableInputFormat.class);
    FileInputFormat.setInputPaths(job, name.getNameAsString());
    job.set("hbase.mapred.tablecolumns", "f g");
    job.setMapperClass(Collected.OldMapper.class);
    job.setOutputFormat(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    assertTrue(JobClient.runJob(job).isSuccessful());
    assertEquals(scanned(name, new Scan()), collected(job));
  }

  @Test
  void aTableThatIsNotThereIsAnErrorOfBothApis() throws Exception {
    Job job = job(configuration(), TableInputFormat.class, all());
    assertThrows(TableNotFoundException.class, () -> job.waitForCompletion(false));
    JobConf old = new JobConf(configuration());
    FileInputFormat.setInputPaths(old, name.getNameAsString());
    var format = new org.grampus.mapreduce.mapred.TableInputFormat();
    assertThrows(TableNotFoundException.class, () -> format.getSplits(old, 1));
  }
}

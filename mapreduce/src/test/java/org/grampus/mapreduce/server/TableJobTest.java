package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.NullOutputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
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

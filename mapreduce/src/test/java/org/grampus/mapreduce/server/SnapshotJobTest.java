package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.lib.NullOutputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.junit.jupiter.api.Test;

/** Jobs that read a snapshot's files see what a scan through the server does. */
class SnapshotJobTest extends SnapshotCase {
  /** Changes the table until it is told to stop. */
  private Thread writer(AtomicBoolean stop) {
    Thread writer =
        new Thread(
            () -> {
              try (Table own = connection.getTable(name)) {
                for (int i = 0; !stop.get(); i = (i + 7) % ROWS) {
                  own.put(new Put(b(row(i))).addColumn(F, b("q0"), 100, b("later")));
                  own.delete(new Delete(b(row(i + 1))));
                  if (i % 50 == 0) {
                    admin.flush(name);
                  }
                }
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    writer.start();
    return writer;
  }

  @Test
  void aSnapshotIsReadWhileItsTableChanges() throws Exception {
    create(b(row(150)), b(row(300)), b(row(450)));
    fill(ROWS);
    List<String> expected = scanned(name, all());
    String snapshot = snapshot(name);
    AtomicBoolean stop = new AtomicBoolean();
    Thread writer = writer(stop);
    try {
      for (int i = 0; i < 3; i++) {
        assertEquals(expected, run(job(snapshot, all())));
        admin.majorCompact(name);
      }
    } finally {
      stop.set(true);
      writer.join();
    }
  }

  /** Each job's first mapper splits the region that it reads. */
  @Test
  void aSnapshotIsReadWhileItsTableIsSplit() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    List<String> expected = scanned(name, all());
    String snapshot = snapshot(name);
    for (String at : List.of(row(100), row(200), row(50))) {
      Job job = job(snapshot, all());
      AtomicBoolean isSplit = new AtomicBoolean();
      Collected.work(
          job.getConfiguration().get(Collected.RUN_KEY),
          row -> {
            if (isSplit.compareAndSet(false, true)) {
              splitOnTheWay(at);
              admin.majorCompact(name);
            }
          });
      assertEquals(expected, run(job), at);
      assertTrue(isSplit.get());
    }
    assertEquals(5, admin.getRegions(name).size());
  }

  @Test
  void everyKindOfScanIsAServers() throws Exception {
    create(b(row(200)));
    compactions(name, false); // as the table is read after its snapshot, also by a raw scan
    fill(ROWS);
    String snapshot = snapshot(name);
    for (Scan scan : scans()) {
      List<String> expected = scanned(name, scan);
      assertFalse(expected.isEmpty(), scan.toString());
      assertEquals(expected, run(job(snapshot, scan)), scan.toString());
    }
  }

  private static List<Scan> scans() throws IOException {
    return List.of(
        new Scan(),
        new Scan().readVersions(2).setBatch(3),
        new Scan().addColumn(F, b("q2")).addFamily(G),
        new Scan().withStartRow(b(row(100)), false).withStopRow(b(row(300)), true),
        new Scan().withStartRow(b(row(7))).withStopRow(b(row(7)), true),
        new Scan().setTimeRange(2, 3),
        new Scan().setRaw(true).readAllVersions(),
        new Scan().setReversed(true).withStartRow(b(row(300))).withStopRow(b(row(100))),
        new Scan().setFilter(new KeyOnlyFilter()),
        new Scan()
            .setFilter(
                new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("row..[37]"))),
        new Scan()
            .setFilter(
                new SingleColumnValueFilter(F, b("q0"), CompareOperator.EQUAL, b("value20-3"))));
  }

  /** A filter that has enough ends its region, and the scan if it wants nothing of a region. */
  @Test
  void rowsOfSeveralRegionsComeInTheOrderOfTheScan() throws Exception {
    create(b(row(100)), b(row(200)));
    fill(ROWS);
    String snapshot = snapshot(name);
    for (Scan scan :
        List.of(
            all().setBatch(2),
            all().setReversed(true),
            all().setFilter(new PageFilter(10)),
            all().setFilter(new PageFilter(150)),
            all().setReversed(true).setFilter(new PageFilter(10)),
            all()
                .setFilter(
                    new WhileMatchFilter(
                        new RowFilter(
                            CompareOperator.NOT_EQUAL, new BinaryComparator(b(row(100)))))))) {
      oneTaskReadsInOrder(job(snapshot, scan), scan);
    }
  }

  @Test
  void aSplitTablesReferencesAreRead() throws Exception {
    create();
    fill(ROWS);
    splitAt(row(250));
    String snapshot = snapshot(name);
    assertEquals(scanned(name, all()), run(job(snapshot, all())));
  }

  @Test
  void aClonesLinksAreRead() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    TableName clone = TableName.valueOf(name.getNameAsString() + "Clone");
    admin.cloneSnapshot(snapshot(name), clone);
    try {
      admin.snapshot(name.getNameAsString() + "OfClone", clone);
      List<String> expected = scanned(name, all());
      assertEquals(expected, run(job(name.getNameAsString() + "OfClone", all())));
    } finally {
      drop(clone);
    }
  }

  @Test
  void regionsAreCutAndJoined() throws Exception {
    create(b(row(550)), b(row(555)), b(row(560)));
    fill(ROWS);
    String snapshot = snapshot(name);
    List<String> expected = scanned(name, all());
    for (int wanted : new int[] {1, 2, 7}) {
      Job job = job(snapshot, all());
      job.getConfiguration().setInt("grampus.mapreduce.splits", wanted);
      List<InputSplit> splits = new SnapshotInputFormat().getSplits(job);
      assertEquals(wanted, splits.size());
      for (InputSplit split : splits) {
        assertTrue(split.getLength() > 0);
        assertEquals(List.of("localhost"), List.of(split.getLocations()));
      }
      assertEquals(expected, run(job));
    }
  }

  @Test
  void splitsHaveAsManyBytesAsTheJobWants() throws Exception {
    create(b(row(200)));
    fill(10 * ROWS);
    String snapshot = snapshot(name);
    Job counted = job(snapshot, all());
    counted.getConfiguration().setInt("grampus.mapreduce.splits", 4);
    List<InputSplit> four = new SnapshotInputFormat().getSplits(counted);
    long wanted = bytes(four) / 4;
    Job job = job(snapshot, all());
    job.getConfiguration().setLong("grampus.mapreduce.split.bytes", wanted);
    List<InputSplit> splits = new SnapshotInputFormat().getSplits(job);
    assertTrue(splits.size() == 4 || splits.size() == 5, splits.size() + " of " + wanted);
    for (InputSplit split : splits) {
      assertTrue(split.getLength() < wanted * 6 / 5, split.getLength() + " of " + wanted);
    }
    assertEquals(scanned(name, all()), run(job));
  }

  private static long bytes(List<InputSplit> splits) {
    return splits.stream().mapToLong(split -> ((SnapshotSplit) split).getLength()).sum();
  }

  @Test
  void anEmptyRegionHasNoSplit() throws Exception {
    create(b(row(300)), b("z"));
    fill(ROWS);
    Job job = job(snapshot(name), all());
    assertEquals(2, new SnapshotInputFormat().getSplits(job).size());
    assertEquals(scanned(name, all()), run(job));
  }

  @Test
  void anyFileSystemOfHadoopIsRead() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    String snapshot = snapshot(name);
    Job job = elsewhere(job(snapshot, all()));
    assertEquals(scanned(name, all()), run(job));
    assertTrue(OtherFileSystem.opens() > 0);
    assertTrue(own(job, "BYTES_READ") > 0);
  }

  private Job elsewhere(Job job) {
    Configuration conf = job.getConfiguration();
    conf.setClass("fs.other.impl", OtherFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    conf.set("hbase.rootdir", "other://" + server.rootDir());
    return job;
  }

  @Test
  void aNarrowScanReadsFewOfTheBytes() throws Exception {
    create();
    Random random = new Random(3);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] large = new byte[20_000];
      random.nextBytes(large);
      puts.add(
          new Put(b(row(i))).addColumn(F, b("large"), large).addColumn(F, b("small"), b("v" + i)));
    }
    table.put(puts);
    Scan narrow = new Scan().addColumn(F, b("small"));
    Job job = elsewhere(job(snapshot(name), narrow));
    assertEquals(scanned(name, narrow), run(job));
    long planned = own(job, "SPLIT_BYTES");
    assertTrue(planned > 6_000_000, planned + " bytes");
    assertTrue(own(job, "BYTES_SKIPPED") > planned * 9 / 10, own(job, "BYTES_READ") + " bytes");
    OtherFileSystem.readsSince();
    job = elsewhere(job(name.getNameAsString() + "Snapshot", new Scan()));
    assertEquals(300, run(job).size());
    assertTrue(own(job, "BYTES_READ") >= planned * 9 / 10, own(job, "BYTES_READ") + " bytes");
    int reads = OtherFileSystem.readsSince();
    assertTrue(reads < 40, reads + " reads"); // pages have about 64 KiB: there are a hundred
  }

  /** The engine reads local files itself, and says of which pages. */
  @Test
  void pagesOfLocalFilesAreCounted() throws Exception {
    create();
    fill(ROWS);
    String snapshot = snapshot(name);
    Job wide = job(snapshot, all());
    assertEquals(scanned(name, all()), run(wide));
    Scan one = new Scan().addColumn(G, b("new"));
    Job narrow = job(snapshot, one);
    assertEquals(scanned(name, one), run(narrow));
    for (Job job : List.of(wide, narrow)) {
      assertTrue(own(job, "CACHE_MISSES") > 0);
      assertTrue(own(job, "ENGINE_NANOS") > 0);
      assertEquals(0, own(job, "SERVER_NANOS"));
      long read = own(job, "BYTES_READ");
      assertTrue(read > 0, read + " bytes");
      assertEquals(own(job, "SPLIT_BYTES"), read + own(job, "BYTES_SKIPPED"));
    }
    assertTrue(own(narrow, "BYTES_READ") < own(wide, "BYTES_READ"));
    assertEquals(0, own(wide, "CACHE_HITS"), "from front to back no page is read twice");
  }

  @Test
  void aJobOfHBasesFormatSwitchesByTheClassName() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    Job job = job(configuration(), SnapshotInputFormat.class, null);
    TableMapReduceUtil.initTableSnapshotMapperJob(
        snapshot(name),
        all(),
        Collected.NewMapper.class,
        NullWritable.class,
        NullWritable.class,
        job,
        false,
        new Path(directory.resolve("restored").toUri()));
    job.setInputFormatClass(SnapshotInputFormat.class);
    assertEquals(scanned(name, all()), run(job));
  }

  @Test
  void theOldApiReadsTheSame() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    JobConf job = new JobConf(configuration());
    org.grampus.mapreduce.mapred.SnapshotInputFormat.setInput(job, snapshot(name));
    job.set("hbase.mapreduce.scan", TableMapReduceUtil.convertScanToString(all()));
    job.setMapperClass(Collected.OldMapper.class);
    job.setOutputFormat(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    assertTrue(JobClient.runJob(job).isSuccessful());
    assertEquals(scanned(name, all()), collected(job));
  }

  @Test
  void countersAndSettingsAreKept() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    Job job = job(snapshot(name), all().setBatch(3));
    List<String> seen = run(job);
    long rows = scanned(name, new Scan()).size();
    assertEquals(rows, job.getCounters().findCounter("Grampus", "ROWS").getValue());
    long cells = seen.stream().mapToLong(result -> result.split(" ").length).sum();
    assertEquals(cells, job.getCounters().findCounter("Grampus", "CELLS").getValue());
    assertTrue(job.getCounters().findCounter("HBaseCounters", "BYTES_IN_RESULTS").getValue() > 0);
    assertTrue(own(job, "SPLIT_BYTES") > 0);
    assertEquals("3 (scan)", job.getConfiguration().get("grampus.mapreduce.scan.effective.batch"));
    assertEquals(
        2, job.getCounters().findCounter("Grampus settings", "batch = 3 (scan)").getValue());
  }

  private static long own(Job job, String counter) throws IOException {
    return job.getCounters().findCounter("Grampus", counter).getValue();
  }
}

package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.grampus.mapreduce.columns.BatchInputFormat;
import org.grampus.mapreduce.keys.JobKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs over batches see the columns of what a scan through the server returns. */
class BatchJobTest extends DownloadCase {
  /** More than a batch has. */
  private static final int MANY_ROWS = 20_000;

  /** Collects the rows of all batches as text. */
  static final class BatchMapper
      extends Mapper<NullWritable, VectorSchemaRoot, NullWritable, NullWritable> {
    @Override
    protected void map(NullWritable none, VectorSchemaRoot batch, Context context) {
      String run = context.getConfiguration().get(Collected.RUN_KEY);
      for (int row = 0; row < batch.getRowCount(); row++) {
        StringJoiner values = new StringJoiner(" ");
        for (FieldVector column : batch.getFieldVectors()) {
          values.add(String.valueOf(column.getObject(row)));
        }
        Collected.of(run).add(values.toString());
      }
    }
  }

  /** Has enough after the first batch. */
  static final class EarlyMapper
      extends Mapper<NullWritable, VectorSchemaRoot, NullWritable, NullWritable> {
    @Override
    public void run(Context context) throws IOException, InterruptedException {
      if (context.nextKeyValue()) {
        int rows = context.getCurrentValue().getRowCount();
        Collected.of(context.getConfiguration().get(Collected.RUN_KEY)).add("" + rows);
      }
    }
  }

  @AfterEach
  void dropSnapshots() throws IOException {
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(name.getNameAsString()) + ".*"));
  }

  private Job job(String mapping) throws IOException {
    String snapshot = name.getNameAsString() + "Snapshot";
    if (admin.listSnapshots(Pattern.compile(Pattern.quote(snapshot))).isEmpty()) {
      admin.snapshot(snapshot, name);
    }
    Job job = job();
    BatchInputFormat.setInput(job, snapshot, mapping);
    return job;
  }

  private Job job() throws IOException {
    Job job = Job.getInstance(configuration());
    job.setMapperClass(BatchMapper.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }

  private List<String> expected(Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    for (List<String> row : table(scan)) {
      StringJoiner values = new StringJoiner(" ");
      row.forEach(value -> values.add(String.valueOf(value)));
      rows.add(values.toString());
    }
    rows.sort(null);
    return rows;
  }

  private static long counter(Job job, String group, String name) throws IOException {
    return job.getCounters().findCounter(group, name).getValue();
  }

  @Test
  void batchesOfAllSplitsHaveTheRowsOfAScan() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    List<String> expected = expected(new Scan());
    for (int splits : new int[] {1, 5}) {
      Job job = job(COLUMNS);
      job.getConfiguration().setInt("grampus.mapreduce.splits", splits);
      assertEquals(splits, new BatchInputFormat().getSplits(job).size());
      assertEquals(expected, run(job));
      assertEquals(expected.size(), counter(job, "Grampus", "ROWS"));
      assertTrue(counter(job, "Grampus", "SPLIT_BYTES") > 0);
      assertTrue(counter(job, "HBaseCounters", "ROWS_SCANNED") >= expected.size());
      assertTrue(counter(job, "HBaseCounters", "REGIONS_SCANNED") >= 3);
    }
  }

  @Test
  void keysAndTheScanSayWhichRowsThereAre() throws Exception {
    create(b(row(150)));
    fill(ROWS);
    String filter = "SingleColumnValueFilter('f', 'q0', >, 'binary:value2')";
    Job job = job(COLUMNS);
    Configuration conf = job.getConfiguration();
    conf.set("hbase.mapreduce.scan.row.start", row(100));
    conf.set("hbase.mapreduce.scan.row.stop", row(300));
    conf.set("hbase.mapreduce.scan.timerange.end", "3");
    conf.set("grampus.mapreduce.scan.filter", filter);
    Scan scan = new Scan().withStartRow(b(row(100))).withStopRow(b(row(300))).setTimeRange(0, 3);
    scan.setFilter(new ParseFilter().parseFilterString(filter));
    List<String> expected = expected(new Scan(scan));
    assertTrue(expected.size() > 1 && expected.size() < 200, expected.size() + " rows");
    assertEquals(expected, run(job));
    Job serialized = job(COLUMNS);
    serialized
        .getConfiguration()
        .set("hbase.mapreduce.scan", TableMapReduceUtil.convertScanToString(scan));
    assertEquals(expected, run(serialized));
  }

  @Test
  void aJobTakesItsOwnSnapshotAndItsColumns() throws Exception {
    create();
    table.put(new Put(b("a")).addColumn(F, b("x"), b("1")).addColumn(G, b("${y}"), b("2")));
    Job job = job();
    BatchInputFormat.setTable(job, name, null);
    // At the end of this process there is no server to remove the snapshot from.
    job.getConfiguration().setInt("hbase.client.retries.number", 1);
    job.getConfiguration().setInt("zookeeper.recovery.retry", 0);
    assertEquals(1, run(job).size());
    assertEquals(1, snapshots());
    assertTrue(job.getConfiguration().getRaw(JobKeys.BATCHES_COLUMNS).contains("f:x"));
  }

  private int snapshots() throws IOException {
    return admin
        .listSnapshots(Pattern.compile(Pattern.quote(name.getNameAsString()) + "-.*"))
        .size();
  }

  @Test
  void anyFileSystemOfHadoopIsRead() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    Job job = job(COLUMNS);
    Configuration conf = job.getConfiguration();
    conf.setClass("fs.other.impl", OtherFileSystem.class, org.apache.hadoop.fs.FileSystem.class);
    conf.set("hbase.rootdir", "other://" + server.rootDir());
    assertEquals(expected(new Scan()), run(job));
    assertTrue(counter(job, "Grampus", "BYTES_READ") > 0);
    assertTrue(counter(job, "Grampus", "CACHE_MISSES") > 0);
    assertTrue(counter(job, "Grampus", "ENGINE_NANOS") > 0);
  }

  private void fillMany() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < MANY_ROWS; i++) {
      puts.add(new Put(b(row(i))).addColumn(F, b("q0"), b("v" + i)));
    }
    table.put(puts);
  }

  @Test
  void aMapperMayHaveEnoughOfASplit() throws Exception {
    create();
    fillMany();
    Job job = job("f:q0=a:string");
    job.setMapperClass(EarlyMapper.class);
    List<String> rows = run(job);
    assertEquals(1, rows.size());
    long read = Long.parseLong(rows.get(0));
    assertTrue(read > 0 && read < MANY_ROWS, read + " rows");
    assertEquals(read, counter(job, "Grampus", "ROWS"));
    assertTrue(counter(job, "HBaseCounters", "ROWS_SCANNED") >= read);
  }

  /** A reader of the first split, which was not initialized. */
  private static RecordReader<NullWritable, VectorSchemaRoot> reader(Job job) throws Exception {
    BatchInputFormat format = new BatchInputFormat();
    List<InputSplit> splits = format.getSplits(job);
    TaskAttemptContextImpl task =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    RecordReader<NullWritable, VectorSchemaRoot> reader =
        format.createRecordReader(splits.get(0), task);
    reader.initialize(splits.get(0), task);
    return reader;
  }

  @Test
  void aTaskNeedsNoMoreThanTheJobWasToldBeforeItsPlan() throws Exception {
    create();
    Put mapped = new Put(b("a")).addColumn(F, b("q0"), b("1"));
    table.put(List.of(mapped, new Put(b("b")).addColumn(F, b("q1"), b("2"))));
    Job job = job("f:q0=a:string");
    BatchInputFormat format = new BatchInputFormat();
    Job copy = Job.getInstance(job.getConfiguration());
    InputSplit split = format.getSplits(copy).get(0);
    TaskAttemptContextImpl task =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    try (RecordReader<NullWritable, VectorSchemaRoot> reader =
        format.createRecordReader(split, task)) {
      reader.initialize(split, task);
      assertTrue(reader.nextKeyValue());
      assertEquals(1, reader.getCurrentValue().getRowCount(), "a scan has no row without a cell");
      assertFalse(reader.nextKeyValue());
    }
    task.getConfiguration().unset(JobKeys.BATCHES_COLUMNS);
    try (RecordReader<NullWritable, VectorSchemaRoot> reader =
        format.createRecordReader(split, task)) {
      IOException error = assertThrows(IOException.class, () -> reader.initialize(split, task));
      assertTrue(error.getMessage().contains(JobKeys.BATCHES_COLUMNS), error.getMessage());
    }
  }

  @Test
  void aJobMadeOnAnotherOnesConfigurationReadsItsOwnTable() throws Exception {
    create();
    Job first = job("f:q0=a:string");
    Job second = Job.getInstance(first.getConfiguration());
    BatchInputFormat.setTable(second, name, null);
    Configuration conf = second.getConfiguration();
    assertNull(conf.get("hbase.TableSnapshotInputFormat.snapshot.name"));
    assertNull(conf.get(JobKeys.BATCHES_COLUMNS));
    BatchInputFormat.setInput(second, "other", null);
    assertNull(conf.get("grampus.mapreduce.snapshot.table"));
  }

  @Test
  void theProgressIsThatOfTheRows() throws Exception {
    create();
    fillMany();
    Job job = job("f:q0=a:string");
    job.getConfiguration().set("hbase.mapreduce.scan.row.start", row(0));
    job.getConfiguration().set("hbase.mapreduce.scan.row.stop", row(MANY_ROWS));
    try (RecordReader<NullWritable, VectorSchemaRoot> reader = reader(job)) {
      assertEquals(0, reader.getProgress());
      assertTrue(reader.nextKeyValue());
      float share = reader.getProgress();
      assertTrue(share > 0.5 && share < 0.99, share + " of the split");
      assertTrue(reader.nextKeyValue());
      assertFalse(reader.nextKeyValue());
      assertFalse(reader.nextKeyValue(), "the end stays the end");
      assertEquals(1, reader.getProgress());
    }
  }

  @Test
  void aReaderIsClosedAtAnyTime() throws Exception {
    create();
    fillMany();
    Job job = job("f:q0=a:string");
    new BatchInputFormat().createRecordReader(null, null).close();
    reader(job).close();
    RecordReader<NullWritable, VectorSchemaRoot> begun = reader(job);
    assertTrue(begun.nextKeyValue());
    begun.close();
    begun.close();
  }

  @Test
  void whatAMapperKeepsOfABatchIsSaid() throws Exception {
    create();
    fillMany();
    RecordReader<NullWritable, VectorSchemaRoot> reader = reader(job("f:q0=a:string"));
    assertTrue(reader.nextKeyValue());
    try (VectorSchemaRoot kept = reader.getCurrentValue().slice(1, 2)) {
      IOException error = assertThrows(IOException.class, reader::close);
      assertTrue(error.getMessage().contains("slices"), error.getMessage());
      assertEquals("v1", kept.getVector("a").getObject(0).toString(), "memory stays the mapper's");
    }
  }

  @Test
  void theSchemaHasTheTypesOfTheMapping() throws Exception {
    create();
    table.put(new Put(b("a")).addColumn(F, b("n"), b("12")));
    try (RecordReader<NullWritable, VectorSchemaRoot> reader =
        reader(job(":key=k:string,f:n=n:long(text)"))) {
      assertTrue(reader.nextKeyValue());
      VectorSchemaRoot batch = reader.getCurrentValue();
      assertEquals(
          List.of("k", "n"), batch.getSchema().getFields().stream().map(Field::getName).toList());
      assertEquals(12L, batch.getVector("n").getObject(0));
    }
  }

  @Test
  void whatCannotBeIsASentence() throws Exception {
    create();
    fill(10);
    assertRefused("number", job("f:q0=a:number"));
    assertRefused("has a batch", with("hbase.mapreduce.scan.batchsize", "1"));
    assertRefused(
        "row.limit", with("hbase.TableSnapshotInputFormat.row.limit.per.inputsplit", "1"));
    assertRefused("f:q0", with("hbase.mapreduce.scan.columns", "f:q1"));
    assertRefused(
        "reversed",
        with(
            "hbase.mapreduce.scan",
            TableMapReduceUtil.convertScanToString(new Scan().setReversed(true))));
    Job own = job();
    BatchInputFormat.setTable(own, name, "f:q0=a:number");
    assertRefused("number", own);
    assertEquals(0, snapshots());
  }

  private Job with(String key, String value) throws IOException {
    Job job = job(COLUMNS);
    job.getConfiguration().set(key, value);
    return job;
  }

  private static void assertRefused(String sentence, Job job) {
    IllegalArgumentException error =
        assertThrows(IllegalArgumentException.class, () -> job.waitForCompletion(false));
    assertTrue(error.getMessage().contains(sentence), error.getMessage());
  }

  @Test
  void tasksOnAClusterHaveArrow() throws Exception {
    create();
    String jars = job(COLUMNS).getConfiguration().get("tmpjars");
    for (String jar :
        List.of(
            "arrow-c-data",
            "arrow-vector",
            "arrow-memory-core",
            "arrow-memory-unsafe",
            "arrow-format",
            "flatbuffers")) {
      assertTrue(jars.contains(jar), jar + " is not in " + jars);
    }
  }

  /** docs/mapreduce.md has it: what the page says of it is what it does. */
  @Test
  void theDocumentedJobSumsUpMiles() throws Exception {
    create(b("row2"));
    String[] carriers = {"AA", "B6", "AA", "DL"};
    for (int i = 0; i < carriers.length; i++) {
      table.put(
          new Put(b("row" + i))
              .addColumn(F, b("carrier"), b(carriers[i]))
              .addColumn(F, b("distance"), b("" + 100 * (i + 1))));
    }
    table.put(new Put(b("row9")).addColumn(F, b("carrier"), b("UA"))); // distance is not known
    Path output = directory.resolve("miles");
    try (CompiledJava program = CompiledJava.example(directory, "MilesByCarrier")) {
      String[] arguments = {name.getNameAsString(), output.toUri().toString()};
      assertEquals(0, program.run("MilesByCarrier", configuration(), arguments));
    }
    assertEquals(
        List.of("AA\t400", "B6\t200", "DL\t400"),
        Files.readAllLines(output.resolve("part-r-00000")));
  }
}

package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.mapreduce.TableSnapshotInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.grampus.compat.suite.target.LastingServer;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.grampus.mapreduce.columns.ArrowBatches;
import org.grampus.mapreduce.columns.BatchRequest;
import org.grampus.mapreduce.columns.TableBatches;
import org.grampus.mapreduce.download.DownloadCommand;
import org.grampus.mapreduce.download.StreamCommand;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Our input formats over a stock HBase, whose servers do not say where a region's bytes are. */
@Tag("long")
class StockServerTest {
  private static final int MAPPERS_PER_REGION = 4;

  private static ServerProcess server;
  private static Connection connection;

  @TempDir Path directory;
  private int runs;

  @BeforeAll
  static void start() throws Exception {
    Path work = Path.of(System.getProperty("grampus.mapreduce.work", "target/servers"));
    server = new LastingServer(ServerKind.HBASE, work, Map.of(), Map.of()).process();
    connection = ConnectionFactory.createConnection(server.clientConfiguration());
  }

  @AfterAll
  static void stop() throws Exception {
    if (connection != null) {
      connection.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static TableName create(String name, List<byte[]> rows, byte[]... splitKeys)
      throws IOException {
    TableName table = TableName.valueOf(name);
    List<Put> puts = new ArrayList<>();
    for (byte[] row : rows) {
      puts.add(new Put(row).addColumn(JobTest.F, JobTest.b("q"), JobTest.b("v")));
    }
    try (Admin admin = connection.getAdmin();
        Table written = connection.getTable(table)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(JobTest.F))
              .build(),
          splitKeys.length == 0 ? null : splitKeys);
      written.put(puts);
      admin.flush(table);
    }
    return table;
  }

  private Configuration configuration() {
    Configuration conf = server.clientConfiguration();
    conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", 50);
    conf.set(Collected.RUN_KEY, "stock " + directory + runs++);
    return conf;
  }

  private static Job job(
      Configuration conf, Class<? extends InputFormat<?, ?>> format, TableName table)
      throws IOException {
    Job job = Job.getInstance(conf);
    job.getConfiguration().set(TableInputFormat.INPUT_TABLE, table.getNameAsString());
    job.getConfiguration()
        .set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(new Scan()));
    job.setInputFormatClass(format);
    job.setMapperClass(Collected.NewMapper.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }

  private static List<TableSplit> splits(Job job) throws Exception {
    TableInputFormat format = new TableInputFormat();
    format.setConf(job.getConfiguration());
    List<TableSplit> splits = new ArrayList<>();
    for (InputSplit split : format.getSplits(job)) {
      assertTrue(split.getLength() > 0, split.toString());
      splits.add((TableSplit) split);
    }
    return splits;
  }

  private static List<String> scanned(TableName table) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table read = connection.getTable(table);
        ResultScanner scanner = read.getScanner(new Scan())) {
      scanner.forEach(row -> rows.add(Collected.show(row)));
    }
    rows.sort(null);
    return rows;
  }

  private static List<byte[]> decimalKeys() {
    List<byte[]> rows = new ArrayList<>();
    for (int key = 0; key < 1000; key++) {
      rows.add(JobTest.b(String.format("%03d", key)));
    }
    return rows;
  }

  @Test
  void regionsAreCutUniformlyByKeys() throws Exception {
    TableName table = create("decimal", decimalKeys(), JobTest.b("2"), JobTest.b("6"));
    Configuration conf = configuration();
    conf.setInt(TableInputFormat.NUM_MAPPERS_PER_REGION, MAPPERS_PER_REGION);
    Job job = job(conf, TableInputFormat.class, table);
    List<String> starts = new ArrayList<>();
    splits(job).forEach(split -> starts.add(Bytes.toStringBinary(split.getStartRow())));
    assertEquals(
        List.of("", "05", "1", "15", "2", "3", "4", "5", "6", "7", "8", "9"),
        starts,
        "four of each region");
    List<String> expected = scanned(table);
    assertEquals(1000, expected.size());
    assertEquals(expected, JobTest.run(job));
    assertEquals(1000, job.getCounters().findCounter("Grampus", "ROWS").getValue());
    assertTrue(job.getCounters().findCounter("Grampus", "SERVER_NANOS").getValue() > 0);
  }

  @Test
  void asManySplitsAsAreAskedForHaveAllRows() throws Exception {
    TableName table = create("several", decimalKeys(), JobTest.b("2"), JobTest.b("6"));
    List<String> expected = scanned(table);
    for (int wanted : new int[] {1, 2, 10}) {
      Configuration conf = configuration();
      conf.setInt("grampus.mapreduce.splits", wanted);
      Job job = job(conf, TableInputFormat.class, table);
      assertEquals(wanted, splits(job).size());
      assertEquals(expected, JobTest.run(job));
    }
  }

  @Test
  void rowsBehindTheHighestByteAreLostByHBasesFormatAndNotByOurs() throws Exception {
    List<byte[]> rows = new ArrayList<>();
    for (int first = 0; first < 256; first += 5) {
      rows.add(new byte[] {(byte) first, 1});
    }
    int high = 0;
    for (String key : List.of("\\xFF", "\\xFFa", "\\xFF\\xFF", "\\xFF\\xFF\\xFF\\x00")) {
      rows.add(Bytes.toBytesBinary(key));
      high++;
    }
    TableName table = create("high", rows);
    List<String> expected = scanned(table);
    Configuration conf = configuration();
    conf.setInt(TableInputFormat.NUM_MAPPERS_PER_REGION, 3);
    assertEquals(expected, JobTest.run(job(conf, TableInputFormat.class, table)));
    conf.set(Collected.RUN_KEY, "stock's " + directory);
    List<String> lossy =
        JobTest.run(job(conf, org.apache.hadoop.hbase.mapreduce.TableInputFormat.class, table));
    // \xFF\x01 is lost with them.
    assertEquals(expected.size() - high - 1, lossy.size(), "if this fails, HBase has mended it");
  }

  /**
   * Spark leaves out splits whose length is 0 (spark.hadoopRDD.ignoreEmptySplits), and all of
   * HBase's have it. perf-eval/scripts/downloads lets Spark itself count.
   */
  @Test
  void allSplitsOfHBasesSnapshotFormatAreEmptyToSpark() throws Exception {
    TableName table = create("counted", decimalKeys(), JobTest.b("2"), JobTest.b("6"));
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot("ofCounted", table);
    }
    Job job = job(configuration(), TableSnapshotInputFormat.class, table);
    TableSnapshotInputFormat.setInput(
        job, "ofCounted", new org.apache.hadoop.fs.Path(directory.resolve("restored").toUri()));
    List<InputSplit> splits = new TableSnapshotInputFormat().getSplits(job);
    assertEquals(3, splits.size());
    for (InputSplit split : splits) {
      assertEquals(0, split.getLength(), "if this fails, HBase has mended it");
    }
    assertEquals(scanned(table), JobTest.run(job));
  }

  private String[] command(TableName table, String... options) {
    Configuration conf = configuration();
    List<String> arguments = new ArrayList<>(List.of(table.getNameAsString(), "--server"));
    for (String key :
        List.of(
            "hbase.zookeeper.quorum",
            "hbase.zookeeper.property.clientPort",
            "hadoop.tmp.dir",
            "mapreduce.jobtracker.staging.root.dir",
            "mapreduce.client.completion.pollinterval")) {
      arguments.addAll(List.of("-D", key + "=" + conf.get(key)));
    }
    arguments.addAll(List.of(options));
    return arguments.toArray(new String[0]);
  }

  private static final String COLUMNS = ":key=k:string,f:q=v:string";

  @Test
  void aDownloadThroughItsServersHasAllRows() throws Exception {
    TableName table = create("downloaded", decimalKeys(), JobTest.b("2"), JobTest.b("6"));
    Path to = directory.resolve("csv");
    String[] arguments =
        command(
            table,
            "--to=" + to,
            "--format=csv",
            "--columns=" + COLUMNS,
            "--splits=7",
            "--merge",
            "--quiet");
    assertEquals(0, new CommandLine(new DownloadCommand()).execute(arguments));
    List<String> expected = new ArrayList<>(List.of("k,v"));
    decimalKeys().forEach(key -> expected.add(Bytes.toString(key) + ",v"));
    assertEquals(expected, Files.readAllLines(to.resolve("downloaded.csv")));
  }

  @Test
  void batchesAndStreamsOfItsServersHaveAllRows() throws Exception {
    TableName table = create("batches", decimalKeys(), JobTest.b("2"), JobTest.b("6"));
    List<String> expected = decimalKeys().stream().map(Bytes::toString).toList();
    assertEquals(expected, keys(BatchRequest.of(table).ofServers().columns(COLUMNS)));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String[] arguments = command(table, "--columns=" + COLUMNS);
    assertEquals(0, StreamCommand.commandLine(out).execute(arguments));
    List<String> streamed = new ArrayList<>();
    try (BufferAllocator allocator = new RootAllocator();
        ArrowStreamReader reader =
            new ArrowStreamReader(new ByteArrayInputStream(out.toByteArray()), allocator)) {
      while (reader.loadNextBatch()) {
        streamed.addAll(keys(reader.getVectorSchemaRoot()));
      }
    }
    assertEquals(expected, streamed);
  }

  private List<String> keys(BatchRequest request) throws IOException {
    List<String> keys = new ArrayList<>();
    try (TableBatches batches = TableBatches.open(configuration(), request);
        BufferAllocator allocator = new RootAllocator()) {
      for (InputSplit split : batches.splits()) {
        try (ArrowBatches reader = new ArrowBatches(allocator, batches.read(split))) {
          while (reader.loadNextBatch()) {
            keys.addAll(keys(reader.getVectorSchemaRoot()));
          }
        }
      }
    }
    return keys;
  }

  private static List<String> keys(VectorSchemaRoot batch) {
    List<String> keys = new ArrayList<>();
    for (int row = 0; row < batch.getRowCount(); row++) {
      keys.add(batch.getVector("k").getObject(row).toString());
    }
    return keys;
  }

  /** Its files are HFiles, which the engine does not read. */
  @Test
  void aStockSnapshotIsRefusedWithASentence() throws Exception {
    TableName table = create("stored", decimalKeys());
    try (Admin admin = connection.getAdmin()) {
      admin.snapshot("ofStock", table);
    }
    Job job = job(configuration(), SnapshotInputFormat.class, table);
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, "ofStock");
    job.getConfiguration().setInt("grampus.mapreduce.splits", 4);
    IOException refused =
        assertThrows(IOException.class, () -> new SnapshotInputFormat().getSplits(job));
    assertTrue(refused.getMessage().contains("HFile"), refused.getMessage());
    assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
  }
}

package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.input.TableInputFormat;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose server is killed in the middle and comes back: the same rows, and no snapshot. */
@Timeout(value = 6, unit = TimeUnit.MINUTES) // a start on a busy machine is waited for
@Tag("long")
class KilledServerTest {
  private static final TableName NAME = TableName.valueOf("killed");
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final int ROWS = 300;

  /** In the second of three regions. */
  private static final int ROWS_BEFORE = 150;

  private static ServerProcess server;

  @TempDir Path output;

  @BeforeAll
  static void start() throws Exception {
    Path work = Path.of(System.getProperty("grampus.mapreduce.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "killed");
    server = new ServerProcess(ServerKind.GRAMPUS, directory, Ports.free(), Map.of());
    serve();
    fill();
  }

  @AfterAll
  static void kill() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  private static void serve() throws IOException, InterruptedException {
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  /** Of a client that waits for the next server. */
  private static Configuration client() {
    Configuration conf = server.clientConfiguration();
    conf.setInt("hbase.client.retries.number", 40);
    return conf;
  }

  private Configuration configuration() {
    Configuration conf = client();
    conf.set("hadoop.tmp.dir", output.resolve("hadoop").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", output.resolve("staging").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", 50);
    conf.set(Collected.RUN_KEY, "killed " + output);
    return conf;
  }

  /** Half of the rows are in files, the others in the log alone. */
  private static void fill() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(client());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(NAME)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(JobTest.F))
              .build(),
          new byte[][] {JobTest.b(JobTest.row(ROWS / 3)), JobTest.b(JobTest.row(2 * ROWS / 3))});
      for (int half = 0; half < 2; half++) {
        List<Put> puts = new ArrayList<>();
        for (int i = half; i < ROWS; i += 2) {
          byte[] value = JobTest.b("value" + i);
          puts.add(new Put(JobTest.b(JobTest.row(i))).addColumn(JobTest.F, JobTest.b("q"), value));
        }
        table.put(puts);
        if (half == 0) {
          admin.flush(NAME);
        }
      }
    }
  }

  private static List<String> scanned() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = ConnectionFactory.createConnection(client());
        Table table = connection.getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.forEach(row -> rows.add(Collected.show(row)));
    }
    assertEquals(ROWS, rows.size());
    return rows;
  }

  /** A job over few rows of a call, so that most rows come after the death. */
  private static Job job(Configuration conf, Class<? extends InputFormat<?, ?>> format)
      throws IOException {
    Job job = Job.getInstance(conf);
    Scan scan = new Scan().setCaching(10);
    job.getConfiguration().set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
    job.setInputFormatClass(format);
    job.setMapperClass(Collected.NewMapper.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    return job;
  }

  /** What a mapper does at each row: at one of them the server is killed, and comes back. */
  private static Collected.Work killedOnce() {
    AtomicInteger seen = new AtomicInteger();
    return (Result row) -> {
      if (seen.incrementAndGet() == ROWS_BEFORE) {
        server.kill();
        serve();
      }
    };
  }

  private static List<String> run(Job job, Collected.Work work) throws Exception {
    Collected.work(job.getConfiguration().get(Collected.RUN_KEY), work);
    long before = server.pid();
    assertTrue(job.waitForCompletion(false), job.getStatus().getFailureInfo());
    assertNotEquals(before, server.pid(), "the server was not killed");
    return JobTest.collected(job.getConfiguration());
  }

  private static void assertNoSnapshot() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(client());
        Admin admin = connection.getAdmin()) {
      assertEquals(List.of(), admin.listSnapshots());
    }
  }

  @Test
  void aJobOverATableGoesOnWithTheNextServer() throws Exception {
    List<String> expected = scanned();
    Job job = job(configuration(), TableInputFormat.class);
    job.getConfiguration().set(TableInputFormat.INPUT_TABLE, NAME.getNameAsString());
    assertEquals(expected, run(job, killedOnce()));
    assertNoSnapshot();
  }

  @Test
  void aJobOverItsOwnSnapshotNeedsNoServerUntilItsEnd() throws Exception {
    List<String> expected = scanned();
    Job job = job(configuration(), SnapshotInputFormat.class);
    try (OwnSnapshot own = OwnSnapshot.take(configuration(), NAME, "run")) {
      SnapshotInputFormat.setInput(job, own.name());
      assertEquals(expected, run(job, killedOnce()));
    }
    assertNoSnapshot();
  }

  /**
   * The server is gone when the snapshot is to be removed: the next call of its close removes it.
   */
  @Test
  void aSnapshotIsRemovedOnceTheServerIsBack() throws Exception {
    Configuration conf = configuration();
    OwnSnapshot own = OwnSnapshot.take(conf, NAME, "run");
    server.kill();
    conf.setInt("hbase.client.retries.number", 1);
    assertThrows(IOException.class, own::close);
    conf.setInt("hbase.client.retries.number", 40);
    serve();
    own.close();
    assertNoSnapshot();
  }
}

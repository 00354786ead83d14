package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.grampus.mapreduce.load.ColumnFileLoader;
import org.grampus.mapreduce.load.LoadSummary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that dies in the middle of a load, whose client goes on with the next server. */
@Tag("long")
class KilledLoadTest {
  private static final String VARIABLE = "GRAMPUS_CRASH_POINT";
  private static final int EXIT_ABORTED = 128 + 6;
  private static final Duration SERVE_MAX = Duration.ofSeconds(60);
  private static final Duration DIE_MAX = Duration.ofSeconds(30);
  private static final int LOAD_SECONDS_MAX = 100;
  private static final int ROWS = 20;
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("loaded"))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(JobTest.F))
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of(JobTest.G))
          .build();

  @TempDir Path output;
  private final ExecutorService client = Executors.newSingleThreadExecutor();
  private ServerProcess server;

  @BeforeEach
  void start() throws Exception {
    Path work = Path.of(System.getProperty("grampus.mapreduce.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "killed");
    server = new ServerProcess(ServerKind.GRAMPUS, directory, Ports.free(), Map.of());
    serve(null);
    try (Connection connection = connect();
        Admin admin = connection.getAdmin()) {
      admin.createTable(TABLE);
    }
  }

  @AfterEach
  void kill() throws InterruptedException {
    client.shutdownNow();
    server.close();
  }

  private void serve(String point) throws IOException, InterruptedException {
    server.environment(VARIABLE, point);
    server.start();
    server.awaitServing(SERVE_MAX);
  }

  private Connection connect() throws IOException {
    return connect(40);
  }

  private Connection connect(int retries) throws IOException {
    Configuration conf = server.clientConfiguration();
    conf.setInt("hbase.client.retries.number", retries);
    conf.setInt("hbase.bulkload.retries.number", Math.min(retries, 10));
    return ConnectionFactory.createConnection(conf);
  }

  private LoadSummary load() throws IOException {
    return loadWith(40);
  }

  private LoadSummary loadWith(int retries) throws IOException {
    try (Connection connection = connect(retries)) {
      return new ColumnFileLoader(connection, TABLE.getTableName())
          .load(new org.apache.hadoop.fs.Path(output.toUri()));
    }
  }

  /** A client whose patience was too short asks again, as it is told to. */
  private void finish(Future<LoadSummary> loading) throws Exception {
    try {
      loading.get(LOAD_SECONDS_MAX, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      assertTrue(e.getCause().getMessage().contains("load it again"), e.getMessage());
      awaitOpen();
      Files.deleteIfExists(output.resolve("_loading"));
      load();
    }
  }

  private void awaitOpen() throws IOException {
    try (Connection connection = connect();
        Table table = connection.getTable(TABLE.getTableName())) {
      table.get(new Get(JobTest.b("row")));
    }
  }

  private void write(byte[] family, String value) throws IOException {
    WrittenFiles.write(
        new org.apache.hadoop.fs.Path(output.toUri()),
        server.clientConfiguration(),
        TABLE,
        family,
        value,
        0,
        ROWS);
  }

  private void assertLoaded(String value) throws IOException {
    int rows = 0;
    try (Connection connection = connect();
        Table table = connection.getTable(TABLE.getTableName());
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        for (byte[] family : new byte[][] {JobTest.F, JobTest.G}) {
          assertEquals(value + rows, Bytes.toString(result.getValue(family, JobTest.b("q"))));
        }
        rows++;
      }
    }
    assertEquals(ROWS, rows);
  }

  private void assertNothingIsUnderWay() throws IOException {
    try (Stream<Path> found = Files.walk(server.rootDir().resolve("data"))) {
      assertTrue(found.noneMatch(path -> path.endsWith(".load")));
    }
  }

  @Test
  void aLoadIsThereOnceTheClientHasItsAnswerWhereverTheServerDied() throws Exception {
    // Before the load has happened, and after; the engine's own test dies at every step.
    for (String point : new String[] {"load.after_move_one", "load.after_place_one"}) {
      write(JobTest.F, point);
      write(JobTest.G, point);
      server.close();
      serve(point);
      Future<LoadSummary> loading = client.submit(this::load);
      assertEquals(EXIT_ABORTED, server.awaitEnd(DIE_MAX), point);
      serve(null);
      finish(loading);
      assertLoaded(point);
      assertNothingIsUnderWay();
    }
  }

  @Test
  void aRepeatedCallSaysThatItDoesNotKnowWhatBecameOfAnEarlierOne() throws Exception {
    String point = "load.after_place_one";
    write(JobTest.F, point);
    write(JobTest.G, point);
    server.close();
    serve(point);
    Future<LoadSummary> loading = client.submit(() -> loadWith(1));
    assertEquals(EXIT_ABORTED, server.awaitEnd(DIE_MAX));
    ExecutionException lost =
        assertThrows(
            ExecutionException.class, () -> loading.get(LOAD_SECONDS_MAX, TimeUnit.SECONDS));
    assertTrue(lost.getCause().getMessage().contains("of 2 it is not known"), lost.getMessage());
    serve(null);
    awaitOpen();
    IOException unknown = assertThrows(IOException.class, this::load);
    assertTrue(unknown.getMessage().contains("whether 2 files"), unknown.getMessage());
    Files.delete(output.resolve("_loading"));
    assertEquals(0, load().files());
    assertLoaded(point);
  }
}

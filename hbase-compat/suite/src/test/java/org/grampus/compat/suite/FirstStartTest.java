package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A server that is killed while it starts on a fresh directory serves at the next start. Moments
 * are chosen by chance: half of them by time, the others by the number of files that the start has
 * made, because a start makes most of its files within a few moments. The seed is in the name of
 * each test; {@code grampus.compat.first.seed} repeats it, {@code grampus.compat.first.kills} says
 * how many kills there are.
 */
class FirstStartTest {
  private static final int KILLS = Integer.getInteger("grampus.compat.first.kills", 4);
  private static final long SEED =
      Long.getLong("grampus.compat.first.seed", System.nanoTime() & 0xffffff);
  private static final Duration SERVE_MAX = Duration.ofSeconds(60);
  private static final long EARLIEST_MILLIS = 300;
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");

  private static long startMillis;
  private static long startFiles;

  private ServerProcess server;

  /** When a start is killed, as a share of what a start that is let alone takes. */
  record Moment(long seed, int kill, boolean byFiles, double share) {
    @Override
    public String toString() {
      return String.format(
          "seed %d, kill %d at %.4f of the %s", seed, kill, share, byFiles ? "files" : "time");
    }
  }

  static Stream<Moment> moments() {
    Random random = new Random(SEED);
    return IntStream.range(0, KILLS)
        .mapToObj(kill -> new Moment(SEED, kill, kill % 2 == 0, random.nextDouble()));
  }

  @BeforeAll
  static void measureAStart() throws Exception {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "a stock HBase does not survive this");
    ServerProcess server = newServer();
    try {
      long begin = System.nanoTime();
      server.start();
      server.awaitServing(SERVE_MAX);
      startMillis = millisSince(begin);
      startFiles = files(server.rootDir());
    } finally {
      server.close();
    }
    delete(server.rootDir().getParent());
  }

  private static ServerProcess newServer() throws IOException {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "first");
    return new ServerProcess(ServerKind.GRAMPUS, directory, Ports.free(), Map.of());
  }

  @AfterEach
  void killServer() throws InterruptedException {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @MethodSource("moments")
  void aKilledFirstStartServesAtTheNext(Moment moment) throws Exception {
    server = newServer();
    server.start();
    await(moment);
    server.kill();

    server.start();
    server.awaitServing(SERVE_MAX);
    useATable();
    server.kill();
    delete(server.rootDir().getParent());
  }

  private void await(Moment moment) throws Exception {
    long begin = System.nanoTime();
    long files = (long) (moment.share() * startFiles);
    long millis = EARLIEST_MILLIS + (long) (moment.share() * (startMillis - EARLIEST_MILLIS));
    while (moment.byFiles() ? files(server.rootDir()) < files : millisSince(begin) < millis) {
      if (millisSince(begin) > SERVE_MAX.toMillis()) {
        throw new IOException("the moment did not come; see " + server.log());
      }
      Thread.sleep(1);
    }
  }

  private void useATable() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(server.clientConfiguration());
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      table.put(new Put(ROW).addColumn(F, ROW, ROW));
      assertArrayEquals(ROW, table.get(new Get(ROW)).getValue(F, ROW));
    }
  }

  private static long millisSince(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  /** Files and directories below a directory that changes meanwhile. */
  private static long files(Path root) throws IOException {
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.count();
    } catch (NoSuchFileException | UncheckedIOException e) {
      // Something went away below the walk, or nothing is there yet; the next look counts again.
      return 0;
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> walk = Files.walk(directory)) {
      for (Path path : walk.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}

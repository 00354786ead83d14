package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.server.datanode.DataNodeFaultInjector;
import org.grampus.engine.AppendStream;
import org.grampus.engine.FileException;
import org.grampus.engine.FileException.Kind;
import org.grampus.engine.OpenFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Segments of logs through the fan-out stream, on HDFS. */
@Tag("hdfs")
class FanOutAppendTest {
  private static final long MOST = 1 << 20;

  @TempDir static java.nio.file.Path directory;

  private static MiniHdfs hdfs;
  private static Configuration conf;
  private static HadoopFiles files;
  private static int tests;

  private final Random random = new Random(1);
  private final Path logs = new Path("/logs" + ++tests);
  private final Path path = new Path(logs, "f");

  @BeforeAll
  static void start() throws IOException {
    hdfs = new MiniHdfs(directory);
    conf = hdfs.conf();
    files = new HadoopFiles(conf);
  }

  @AfterAll
  static void stop() throws IOException {
    files.close();
    hdfs.close();
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    files.makeDirectories(uri(logs));
  }

  @AfterEach
  void goOn() {
    DataNodeFaultInjector.set(new DataNodeFaultInjector());
  }

  private static String uri(Path path) {
    return hdfs.uri(path.toString());
  }

  private AppendStream log() throws IOException {
    return log(path);
  }

  private static AppendStream log(Path path) throws IOException {
    return files.createLog(uri(path), MOST);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void write(AppendStream stream, byte[] bytes) throws IOException {
    stream.write(ByteBuffer.allocateDirect(bytes.length).put(bytes).flip());
  }

  private void assertHas(byte[] expected) throws IOException {
    try (OpenFile open = files.open(uri(path))) {
      assertEquals(expected.length, open.length());
      ByteBuffer into = ByteBuffer.allocateDirect(expected.length);
      open.readFully(0, into);
      byte[] found = new byte[expected.length];
      into.flip().get(found);
      assertArrayEquals(expected, found);
    }
  }

  private static byte[] both(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }

  @Test
  void aFlushIsAtAllDataNodesAndASyncOnTheirMedia() throws Exception {
    byte[] flushed = bytes(700);
    byte[] synced = bytes(1);
    AppendStream log = log();
    long before = hdfs.mediaSyncs();
    write(log, flushed);
    log.flush();
    log.flush(); // nothing more
    assertEquals(before, hdfs.mediaSyncs());
    assertHas(flushed);
    write(log, synced);
    log.sync();
    assertEquals(before + 3, hdfs.mediaSyncs());
    assertHas(both(flushed, synced));
    log.close();
    assertTrue(hdfs.fs().isFileClosed(path));
    assertHas(both(flushed, synced));
  }

  /** HBase's stream would call it done. */
  @Test
  void aSyncWithoutBytesOfItsOwnFails() throws IOException {
    AppendStream log = log();
    write(log, bytes(10));
    log.flush();
    assertThrows(IOException.class, log::sync);
    log.abandon();
  }

  /** Larger than what goes out at once, and than the block. */
  @Test
  void aLogThatIsLongerThanItsBlockIsKept() throws Exception {
    byte[] group = bytes(5 << 20);
    byte[] last = bytes(3 << 20);
    AppendStream log = log();
    assertEquals(MOST, hdfs.fs().getFileStatus(path).getBlockSize());
    writeInPieces(log, group);
    long before = hdfs.mediaSyncs();
    log.sync();
    assertTrue(hdfs.mediaSyncs() >= before + 3, "also where whole pieces went before");
    assertHas(group);
    writeInPieces(log, last);
    log.flush();
    log.close();
    assertHas(both(group, last));
  }

  private static void writeInPieces(AppendStream log, byte[] bytes) throws IOException {
    for (int at = 0; at < bytes.length; at += 256 << 10) { // as the engine does
      write(log, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + (256 << 10))));
    }
  }

  @Test
  void aLogThatIsGivenUpKeepsWhatWasFlushed() throws Exception {
    byte[] flushed = bytes(3 << 20); // and longer than its block
    AppendStream log = log();
    write(log, flushed);
    log.flush();
    log.abandon();
    files.recoverLease(uri(path));
    assertHas(flushed);
  }

  /** No other server may ever ask for it. */
  @Test
  void theLeaseOfALogThatIsGivenUpIsRecoveredInTheBackground() throws Exception {
    AppendStream log = log();
    write(log, bytes(10));
    log.flush();
    log.abandon();
    MiniHdfs.await(() -> hdfs.fs().isFileClosed(path), "the lease is not recovered");
  }

  @Test
  void aDataNodeThatDiesBreaksTheLogAndNotTheNextOne() throws Exception {
    byte[] flushed = bytes(1000);
    AppendStream log = log();
    write(log, flushed);
    log.flush();
    MiniDFSCluster.DataNodeProperties dead = hdfs.stopDataNode();
    assertThrows(
        IOException.class,
        () -> {
          write(log, bytes(10));
          log.flush();
        });
    log.abandon();
    AppendStream next = log(new Path(logs, "g"));
    write(next, bytes(10));
    next.sync();
    next.close();
    hdfs.start(List.of(dead));
    files.recoverLease(uri(path));
    try (OpenFile open = files.open(uri(path))) {
      assertTrue(open.length() >= 1000);
      ByteBuffer into = ByteBuffer.allocateDirect(1000);
      open.readFully(0, into);
      assertEquals(ByteBuffer.wrap(flushed), into.flip());
    }
    AtomicInteger later = new AtomicInteger(); // until the name node knows that it lives
    MiniHdfs.await(
        () -> replicasOf(new Path(logs, "h" + later.getAndIncrement())) == 3,
        "a data node that was passed over is not asked again where it is needed");
  }

  private int replicasOf(Path file) throws IOException {
    AppendStream log = log(file);
    write(log, bytes(10));
    log.close();
    return hdfs.fs().getFileBlockLocations(file, 0, 10)[0].getHosts().length;
  }

  @Test
  void aWriterWhoseLeaseAnotherServerHasRecoveredAcknowledgesNothing() throws Exception {
    byte[] flushed = bytes(1000);
    try (HadoopFiles another = new HadoopFiles(conf)) {
      for (boolean sync : new boolean[] {false, true}) {
        Path open = new Path(logs, "" + sync);
        Path moved = open.suffix("-splitting");
        AppendStream log = log(open);
        write(log, flushed);
        log.flush();
        files.rename(uri(open), uri(moved));
        another.recoverLease(uri(moved));
        write(log, bytes(10));
        assertThrows(IOException.class, sync ? log::sync : log::flush);
        assertThrows(IOException.class, log::close);
        assertEquals(1000, hdfs.fs().getFileStatus(moved).getLen());
      }
    }
  }

  @Test
  void aLogThatIsGivenUpLeavesOneThatIsOpenBesideItAlone() throws Exception {
    byte[] first = bytes(1000);
    byte[] second = bytes(1000);
    AppendStream log = log();
    AppendStream other = log(new Path(logs, "g"));
    write(log, first);
    write(other, bytes(10));
    other.flush();
    log.flush();
    other.abandon();
    MiniHdfs.await(() -> hdfs.fs().isFileClosed(new Path(logs, "g")), "the other one is open");
    write(log, second);
    log.close();
    assertHas(both(first, second));
  }

  @Test
  void aLogIsCreatedOnceAndNeverWithItsDirectory() throws Exception {
    AppendStream log = log();
    write(log, bytes(10));
    log.flush();
    for (boolean closed : new boolean[] {false, true}) {
      if (closed) {
        log.close();
      }
      assertEquals(
          Kind.ALREADY_EXISTS, assertThrows(FileException.class, this::log).kind(), "" + closed);
    }
    assertEquals(10, hdfs.fs().getFileStatus(path).getLen());
    Path gone = new Path(logs, "none/f");
    assertThrows(FileNotFoundException.class, () -> log(gone));
    assertNull(files.status(uri(gone.getParent())));
  }

  @Test
  void aLogThatNoDataNodeTakesLeavesNoFile() throws Exception {
    hdfs.fs().setQuota(logs, HdfsConstants.QUOTA_DONT_SET, 1);
    assertEquals(Kind.NO_SPACE, assertThrows(FileException.class, this::log).kind());
    MiniHdfs.await(() -> !hdfs.fs().exists(path), "the file is left");
  }

  @Test
  void aLogOfAnErasureCodedDirectoryIsReplicated() throws Exception {
    hdfs.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    hdfs.fs().setErasureCodingPolicy(logs, "XOR-2-1-1024k");
    AppendStream log = log();
    write(log, bytes(10));
    log.sync();
    log.close();
    assertNull(hdfs.fs().getErasureCodingPolicy(path));
  }

  /** All data nodes take what comes and do not answer until the latch is open. */
  private static CountDownLatch hang() {
    CountDownLatch latch = new CountDownLatch(1);
    DataNodeFaultInjector.set(
        new DataNodeFaultInjector() {
          @Override
          public void delaySendingAckToUpstream(String client) {
            try {
              assertTrue(latch.await(2, TimeUnit.MINUTES));
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        });
    return latch;
  }

  @Test
  void dataNodesThatHangBreakTheLog() throws IOException {
    Configuration impatient = new Configuration(conf);
    impatient.setInt("dfs.client.socket-timeout", 5000);
    try (HadoopFiles own = new HadoopFiles(impatient)) {
      AppendStream log = own.createLog(uri(path), MOST);
      CountDownLatch goesOn = hang();
      write(log, bytes(10));
      IOException failure = assertThrows(IOException.class, log::flush);
      assertTrue(failure.getMessage().contains("is broken"), failure::toString);
      goesOn.countDown();
      log.abandon();
    }
  }

  @Test
  void noThreadIsLeft() throws Exception {
    Set<Thread> others = logThreads();
    HadoopFiles own = new HadoopFiles(conf);
    AppendStream closed = own.createLog(uri(path), MOST);
    AppendStream open = own.createLog(uri(new Path(logs, "g")), MOST);
    write(closed, bytes(10));
    closed.close();
    open.abandon();
    Set<Thread> threads = logThreads();
    threads.removeAll(others);
    assertFalse(threads.isEmpty());
    own.close();
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(30)); // its last steps may be to come
    }
    threads.removeIf(thread -> !thread.isAlive());
    assertEquals(Set.of(), threads);
  }

  private static Set<Thread> logThreads() {
    Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
    threads.removeIf(thread -> !thread.getName().startsWith("log-streams"));
    return threads;
  }
}

package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.grampus.engine.AppendStream;
import org.grampus.engine.FileException;
import org.grampus.engine.FileException.Kind;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What may happen while a fan-out stream is created, between calls of the name node. */
@Tag("hdfs")
class FanOutCreationTest {
  private static final long MOST = 1 << 20;

  @TempDir static java.nio.file.Path directory;

  private static MiniHdfs hdfs;
  private static Configuration conf;
  private static HadoopFiles files;
  private static HadoopFiles master;
  private static int tests;

  private final Path logs = new Path("/logs" + ++tests);
  private final Path path = new Path(logs, "f");

  @BeforeAll
  static void start() throws IOException {
    hdfs = new MiniHdfs(directory);
    conf = HookedFileSystem.hooked(hdfs.conf());
    files = new HadoopFiles(conf);
    master = new HadoopFiles(hdfs.conf());
  }

  @AfterAll
  static void stop() throws IOException {
    files.close();
    master.close();
    hdfs.close();
  }

  @BeforeEach
  void makeDirectory() throws IOException {
    master.makeDirectories(uri(logs));
  }

  @AfterEach
  void clear() {
    HookedFileSystem.clear();
  }

  private static String uri(Path path) {
    return hdfs.uri(path.toString());
  }

  /** Something happens behind a call of the name node, and before the data nodes are asked. */
  private static void behind(String name, HadoopAppend.Step step) {
    HookedFileSystem.set(
        call -> {
          Object returned = call.proceed();
          if (call.name().equals(name)) {
            step.run();
          }
          return returned;
        });
  }

  /** No data node has a replica then: all of them take the block that no file has any more. */
  @Test
  void aLogThatTheMasterRecoversMeanwhileIsNotCreated() throws IOException {
    Path splitting = logs.suffix("-splitting");
    behind(
        "addBlock",
        () -> {
          master.rename(uri(logs), uri(splitting));
          master.recoverLease(uri(new Path(splitting, "f")));
        });
    assertThrows(FileNotFoundException.class, () -> files.createLog(uri(path), MOST));
    assertEquals(0, hdfs.fs().getFileStatus(new Path(splitting, "f")).getLen());
  }

  @Test
  void aLogWhoseLeaseIsRecoveredMeanwhileIsNotCreated() {
    behind("addBlock", () -> master.recoverLease(uri(path)));
    assertEquals(
        Kind.FENCED,
        assertThrows(FileException.class, () -> files.createLog(uri(path), MOST)).kind());
  }

  /** A name node of tests, which checks more, takes no log to its end that has nothing. */
  private static void closeWithBytes(AppendStream log) throws IOException {
    log.write(ByteBuffer.allocateDirect(10));
    log.close();
  }

  /** Data nodes' keys and defaults are the name node's, whose answer may take minutes. */
  @Test
  void noEventLoopAsksTheNameNode() throws IOException {
    Set<String> asked = ConcurrentHashMap.newKeySet();
    HookedFileSystem.set(
        call -> {
          if (Thread.currentThread().getName().matches("log-streams-[0-9].*")) {
            asked.add(call.name());
          }
          return call.proceed();
        });
    try (HadoopFiles own = new HadoopFiles(conf)) { // nothing is known yet
      closeWithBytes(own.createLog(uri(path), MOST));
    }
    assertEquals(Set.of(), asked);
  }

  /** A data node that takes connections and says nothing. */
  private static ServerSocket silent() throws IOException {
    return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
  }

  /** The first block is offered at such a port in the place of one of its data nodes. */
  private static HookedFileSystem.Hook offering(int port) {
    AtomicBoolean done = new AtomicBoolean();
    return call -> {
      Object returned = call.proceed();
      if (call.name().equals("addBlock") && done.compareAndSet(false, true)) {
        LocatedBlock block = (LocatedBlock) returned;
        DatanodeInfoWithStorage[] places = block.getLocations();
        DatanodeInfo other = new DatanodeInfoBuilder().setFrom(places[0]).setXferPort(port).build();
        places[0] =
            new DatanodeInfoWithStorage(
                other, places[0].getStorageID(), places[0].getStorageType());
      }
      return returned;
    };
  }

  private static Configuration with(String key, int millis) {
    Configuration own = new Configuration(conf);
    own.setInt(key, millis);
    return own;
  }

  @Test
  void aDataNodeThatHangsIsPassedOver() throws Exception {
    try (ServerSocket silent = silent();
        HadoopFiles own = new HadoopFiles(with("dfs.client.socket-timeout", 3000))) {
      HookedFileSystem.set(offering(silent.getLocalPort()));
      AppendStream log = own.createLog(uri(path), MOST);
      closeWithBytes(log);
      assertEquals(3, hdfs.fs().getFileBlockLocations(path, 0, 10)[0].getHosts().length);
    }
  }

  @Test
  void noDataNodeIsWaitedForForEver() throws Exception {
    try (HadoopFiles own = new HadoopFiles(with("hbase.regionserver.wal.sync.timeout", 2000))) {
      try (ServerSocket silent = silent()) {
        HookedFileSystem.set(offering(silent.getLocalPort()));
        assertTakesTooLong(own);
        awaitNoFile();
      }
    }
    assertFalse(hdfs.fs().exists(path));
  }

  private void assertTakesTooLong(HadoopFiles own) {
    IOException failure = assertThrows(IOException.class, () -> own.createLog(uri(path), MOST));
    assertTrue(failure.getMessage().contains("takes longer than"), failure::toString);
  }

  private void awaitNoFile() throws Exception {
    MiniHdfs.await(() -> !hdfs.fs().exists(path), "the file is left");
  }

  @Test
  void aLogThatComesTooLateIsTakenBack() throws Exception {
    int before = hdfs.writers();
    CompletableFuture<Void> goesOn = new CompletableFuture<>();
    Thread caller = Thread.currentThread();
    behind(
        "fsync",
        () -> {
          caller.interrupt(); // it waits no longer from here on
          goesOn.join();
        });
    assertThrows(InterruptedIOException.class, () -> files.createLog(uri(path), MOST));
    assertTrue(Thread.interrupted(), "it is told on");
    assertTrue(hdfs.writers() > before);
    goesOn.complete(null);
    MiniHdfs.await(() -> hdfs.writers() <= before, "its connections are left");
    awaitNoFile();
  }

  /** What the name node was asked may be done. */
  @Test
  void aCreationWhoseAnswerIsLostLeavesNoFile() throws Exception {
    behind(
        "create",
        () -> {
          throw new EOFException("the answer");
        });
    assertThrows(EOFException.class, () -> files.createLog(uri(path), MOST));
    awaitNoFile();
  }

  @Test
  void aCreationThatFailsTheSecondTimeLeavesNoFile() throws Exception {
    AtomicInteger creations = new AtomicInteger();
    int unused = unusedPort();
    HookedFileSystem.Hook offering = offering(unused);
    HookedFileSystem.set(
        call -> {
          if (call.name().equals("create") && creations.incrementAndGet() == 2) {
            throw new EOFException("the name node");
          }
          return offering.on(call);
        });
    assertThrows(EOFException.class, () -> files.createLog(uri(path), MOST));
    assertEquals(2, creations.get());
    awaitNoFile();
  }

  private static int unusedPort() throws IOException {
    try (ServerSocket closed = silent()) {
      return closed.getLocalPort();
    }
  }

  @Test
  void aCreationThatFindsNoMemoryLeavesNoFileAndGoesOn() throws Exception {
    behind(
        "addBlock",
        () -> {
          throw new OutOfMemoryError("direct");
        });
    assertThrows(IOException.class, () -> files.createLog(uri(path), MOST));
    awaitNoFile();
    HookedFileSystem.clear();
    closeWithBytes(files.createLog(uri(path), MOST));
  }

  @Test
  void aCreationThatFindsNoMemoryAtItsEndLeavesNoConnection() throws Exception {
    int before = hdfs.writers();
    behind(
        "fsync",
        () -> {
          assertTrue(hdfs.writers() > before);
          throw new OutOfMemoryError("heap");
        });
    IOException failure = assertThrows(IOException.class, () -> files.createLog(uri(path), MOST));
    assertTrue(failure.getCause() instanceof OutOfMemoryError, failure::toString);
    MiniHdfs.await(() -> hdfs.writers() <= before, "its connections are left");
    awaitNoFile();
  }

  @Test
  void noLogIsCreatedOnceTheFilesAreClosed() throws IOException {
    HadoopFiles own = new HadoopFiles(conf);
    AppendStream open = own.createLog(uri(path), MOST);
    own.close();
    open.abandon(); // says so, and no more
    assertThrows(IOException.class, () -> own.createLog(uri(new Path(logs, "g")), MOST));
    master.delete(uri(path));
  }
}

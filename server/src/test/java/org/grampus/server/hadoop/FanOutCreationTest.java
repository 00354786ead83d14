package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
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
}

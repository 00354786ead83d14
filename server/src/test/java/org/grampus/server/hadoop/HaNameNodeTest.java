package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.grampus.engine.AppendStream;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.OpenFile;
import org.grampus.server.region.RegionFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A pair of name nodes, of which the active one dies while a server writes. */
@Tag("hdfs")
class HaNameNodeTest {
  @TempDir private Path directory;

  private MiniHdfs hdfs;
  private RegionFiles files;

  @BeforeEach
  void start() throws IOException {
    hdfs = MiniHdfs.withTwoNameNodes(directory);
    files = new RegionFiles(hdfs.conf());
    HdfsServer.describeTable(files);
  }

  @AfterEach
  void stop() throws IOException {
    files.close();
    hdfs.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void whatWasAcknowledgedOutlivesTheNameNodeAndTheServer(String provider) throws Exception {
    Configuration conf = hdfs.conf();
    conf.set(LogStreamKind.KEY, provider);
    files.close();
    files = new RegionFiles(conf);
    try (HdfsServer dead = new HdfsServer(files, "a").open();
        HdfsServer next = new HdfsServer(files, "b")) {
      dead.put(0, 20);
      dead.raw().flush();
      dead.put(20, 40);
      hdfs.failOver();
      dead.put(40, 60); // into the block that is open
      dead.assertRows(60);
      dead.raw().flush();
      dead.raw().compact(new CompactionRequest(null, true));
      dead.awaitOneFile();
      dead.engine().rollWal();
      dead.put(60, 80);
      next.recover("a", hdfs.fs(), files.walRoot());
      next.open();
      assertTrue(next.raw().openReport().replayedEdits() >= 20);
      next.assertRows(80);
      next.put(80, 90);
      next.raw().close(false);
      next.open().assertRows(90);
    }
  }

  /**
   * A reader finds the blocks of its file by the file's number, at whichever name node is active.
   */
  @Test
  void aFileThatWasOpenIsReadOnAfterItIsRenamed() throws Exception {
    try (HadoopFiles store = new HadoopFiles(files.settings())) {
      String before = hdfs.uri("/hbase/before");
      String after = hdfs.uri("/hbase/after");
      AppendStream out = store.create(before, true);
      out.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
      out.close();
      try (OpenFile open = store.open(before)) {
        hdfs.failOver();
        store.rename(before, after);
        assertBytes(open);
        try (OpenFile again = store.open(after)) {
          assertBytes(again);
        }
      }
    }
  }

  private static void assertBytes(OpenFile file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(3);
    file.readFully(0, bytes);
    assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), bytes.flip());
  }
}

package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A log on HDFS all of whose data nodes are away. */
@Tag("hdfs")
class LogWithoutDataNodesTest extends HdfsCase {
  @Test
  void aLogWithoutDataNodesAcknowledgesNothing() throws Exception {
    acknowledgesNothing("asyncfs");
  }

  @Tag("long")
  @Test
  void aPipelineWithoutDataNodesAcknowledgesNothing() throws Exception {
    acknowledgesNothing("filesystem");
  }

  private void acknowledgesNothing(String provider) throws Exception {
    useLog(provider);
    try (HdfsServer first = server("a").open();
        HdfsServer next = server("b")) {
      first.put(0, 20);
      List<MiniDFSCluster.DataNodeProperties> all = new ArrayList<>();
      for (int node = 0; node < 3; node++) {
        all.add(hdfs.stopDataNode());
      }
      assertThrows(
          RuntimeException.class,
          () -> first.region().putAcknowledged(first.engine(), row(999), "nowhere"));
      assertTrue(first.engine().logFailure() != null);
      hdfs.start(all);
      recover("a", next);
      next.open();
      for (int row = 0; row < 20; row++) {
        assertTrue(next.region().has(row(row)), row(row));
      }
    }
  }

  /** Its stream is broken by then, and no data node is left that it would not pass over. */
  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void aLogGoesOnWhenAllDataNodesWereAwayForAShortTime(String provider) throws Exception {
    useLog(provider);
    try (HdfsServer server = server("a").open()) {
      server.put(0, 20);
      List<MiniDFSCluster.DataNodeProperties> all = new ArrayList<>();
      for (int node = 0; node < 3; node++) {
        all.add(hdfs.stopDataNode());
      }
      CompletableFuture<Void> put = CompletableFuture.runAsync(() -> server.put(20, 21));
      MiniHdfs.await(
          () -> server.engine().metrics().get("wal.error_rolls") > 2,
          "no segment is tried without data nodes");
      hdfs.start(all);
      put.get(1, TimeUnit.MINUTES);
      server.put(21, 40);
      server.assertRows(40);
    }
  }
}

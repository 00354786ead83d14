package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A log on HDFS that loses data nodes. */
@Tag("hdfs")
class HdfsLogTest extends HdfsCase {
  @ParameterizedTest
  @CsvSource({"asyncfs,false", "asyncfs,true", "filesystem,false", "filesystem,true"})
  void aLogWhoseDataNodesDieLosesNothing(String provider, boolean syncs) throws Exception {
    conf.setBoolean("hbase.wal.hsync", syncs);
    useLog(provider);
    try (HdfsServer first = server("a").open();
        HdfsServer next = server("b")) {
      first.put(0, 20);
      MiniDFSCluster.DataNodeProperties one = hdfs.stopDataNode();
      first.put(20, 40);
      MiniDFSCluster.DataNodeProperties other = hdfs.stopDataNode();
      first.put(40, 60);
      first.raw().flush();
      hdfs.start(List.of(one, other));
      first.put(60, 80);
      recover("a", next);
      next.open().assertRows(80);
    }
  }

  /** Nothing is written meanwhile: no other roll comes. */
  @Test
  void aLogOnTooFewDataNodesIsRolledUntilItIsOnAll() throws Exception {
    conf.setLong("hbase.regionserver.hlog.check.lowreplication.interval", 100);
    useLog("asyncfs");
    try (HdfsServer server = server("a").open()) {
      LogReplicas replicas = server.store().replicas();
      server.put(0, 20);
      assertEquals(3, replicas.least());
      MiniDFSCluster.DataNodeProperties one = hdfs.stopDataNode();
      server.put(20, 40);
      assertEquals(2, replicas.least());
      server.watchReplicas();
      hdfs.start(List.of(one));
      MiniHdfs.await(() -> replicas.least() == 3, "the log stays on two data nodes");
      server.put(40, 60);
      server.assertRows(60);
    }
  }

  /** The next write finds a segment that takes it. */
  @Test
  void aLogThatBreaksWhileNothingIsWrittenIsRolled() throws Exception {
    conf.setLong("hbase.regionserver.hlog.check.lowreplication.interval", 100);
    useLog("asyncfs");
    try (HdfsServer server = server("a").open()) {
      LogReplicas replicas = server.store().replicas();
      server.put(0, 20);
      hdfs.stopDataNode();
      MiniHdfs.await(() -> replicas.least() == 0, "the broken log is on data nodes");
      server.watchReplicas();
      MiniHdfs.await(() -> replicas.least() == 2, "the broken log is not rolled");
      server.put(20, 40);
      server.assertRows(40);
    }
  }

  /** A name node that does not answer is waited for as long as data nodes are: minutes. */
  @Test
  void aSegmentThatARollWaitsForHoldsUpNoStop() throws Exception {
    conf = HookedFileSystem.hooked(conf);
    conf.setLong("hbase.regionserver.hlog.check.lowreplication.interval", 100);
    useLog("asyncfs");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    HdfsServer server = server("a").open();
    try {
      server.put(0, 20);
      hdfs.stopDataNode();
      MiniHdfs.await(() -> server.store().replicas().least() == 0, "the log is not broken");
      HookedFileSystem.set(
          call -> {
            if (call.name().equals("addBlock")) {
              asked.countDown();
              answers.await();
            }
            return call.proceed();
          });
      server.watchReplicas();
      assertTrue(asked.await(1, TimeUnit.MINUTES), "no roll");
      assertTimeoutPreemptively(Duration.ofMinutes(1), server::close);
    } finally {
      answers.countDown();
      HookedFileSystem.clear();
    }
  }
}

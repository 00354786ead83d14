package org.grampus.server.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.grampus.server.master.EmbeddedZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestartLockTest {
  private static final int SESSION_SECONDS = 5;

  @TempDir private Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private EmbeddedZooKeeper zooKeeper;

  @BeforeEach
  void start() throws Exception {
    conf.set(HConstants.ZOOKEEPER_DATA_DIR, directory.toString());
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_SECONDS * 1000);
    zooKeeper = EmbeddedZooKeeper.start(conf);
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.port());
    try (ZKWatcher master = new ZKWatcher(conf, "master", null)) {
      ZKUtil.createWithParents(master, master.getZNodePaths().baseZNode);
    }
  }

  @AfterEach
  void stop() throws IOException {
    zooKeeper.close();
  }

  @Test
  void theSecondIsRefusedUntilTheFirstHasEnded() throws IOException {
    RestartLock first = RestartLock.take(conf, "process 1 on a");
    IOException refusal =
        assertThrows(IOException.class, () -> RestartLock.take(conf, "process 2 on b"));
    assertEquals(
        "another rolling restart of this cluster is under way, process 1 on a; begin again when it"
            + " has ended: /hbase/grampus-rolling-restart in ZooKeeper goes with it, or with its"
            + " session, at most "
            + SESSION_SECONDS
            + " s after a kill -9",
        refusal.getMessage());
    first.close();
    RestartLock.take(conf, "process 2 on b").close();
  }

  @Test
  void aMachineThatDoesNotKnowItsNameIsNoObstacle() throws Exception {
    String process = "process " + ProcessHandle.current().pid();
    InetAddress named = InetAddress.getByAddress("rs1.example.org", new byte[] {10, 0, 0, 1});
    assertEquals(process + " on rs1.example.org", RollingRestartCommand.holder(() -> named));
    Callable<InetAddress> nameless =
        () -> {
          throw new UnknownHostException("rs1: Name or service not known");
        };
    assertEquals(process, RollingRestartCommand.holder(nameless));
  }

  /** One that another holds, which has gone when it is asked who holds it. */
  private static RestartLock.Node vanishing(int times, List<String> asked) {
    return new RestartLock.Node() {
      @Override
      public boolean create() {
        asked.add("create");
        return asked.size() > times;
      }

      @Override
      public byte[] holder() {
        return null;
      }

      @Override
      public String ending() {
        return "";
      }
    };
  }

  @Test
  void oneThatEndsJustNowIsNotInTheWay() throws IOException {
    List<String> asked = new ArrayList<>();
    RestartLock.take(vanishing(1, asked));
    assertEquals(2, asked.size());

    RestartLock.Node never = vanishing(Integer.MAX_VALUE, new ArrayList<>());
    IOException refusal = assertThrows(IOException.class, () -> RestartLock.take(never));
    assertEquals(
        "other rolling restarts of this cluster begin and end; begin again", refusal.getMessage());
  }
}

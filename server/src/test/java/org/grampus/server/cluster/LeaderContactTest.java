package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.grampus.server.testkit.ZooKeeperEnsemble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Contact by way of a follower, which may be cut off from the leader without knowing it yet. */
@Timeout(120)
class LeaderContactTest {
  private static final int SESSION_MILLIS = 20_000;

  @TempDir private Path directory;

  @Test
  void onlyTheLeaderAnswers() throws Exception {
    try (ZooKeeperEnsemble ensemble = ZooKeeperEnsemble.start(directory)) {
      ZooKeeper session = new ZooKeeper(ensemble.follower(), SESSION_MILLIS, event -> {});
      ZooKeeper other = new ZooKeeper(ensemble.follower(), SESSION_MILLIS, event -> {});
      try {
        onlyTheLeaderAnswers(ensemble, session, other);
      } finally {
        session.close();
        other.close();
      }
    }
  }

  private static void onlyTheLeaderAnswers(
      ZooKeeperEnsemble ensemble, ZooKeeper session, ZooKeeper other) throws Exception {
    LeaderContact contact = new LeaderContact(() -> session, "/none");
    awaitContact(contact);
    awaitContact(new LeaderContact(() -> other, "/none"));
    assertEquals(SESSION_MILLIS, contact.timeoutMillis());

    ensemble.cutFollowerOff();
    CountDownLatch answered = new CountDownLatch(1);
    contact.ask(answered::countDown);
    assertNotNull(other.exists("/", false), "the follower answers reads");
    // It notices after a while, and serves no client then: the question ends with the connection.
    assertFalse(answered.await(ensemble.noticeMillis(), TimeUnit.MILLISECONDS));

    ensemble.heal();
    awaitContact(contact);
  }

  /** Asks until there is an answer: questions before a connection is there, or back, get none. */
  private static void awaitContact(LeaderContact contact) throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    do {
      contact.ask(answered::countDown);
    } while (!answered.await(1, TimeUnit.SECONDS));
  }

  @Test
  void withoutASessionThereIsAnError() {
    LeaderContact contact = new LeaderContact(() -> null, "/none");
    assertThrows(KeeperException.ConnectionLossException.class, () -> contact.ask(() -> {}));
    assertEquals(0, contact.timeoutMillis());
  }
}

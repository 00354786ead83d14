package org.grampus.server.testkit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.zookeeper.server.quorum.QuorumPeer;
import org.apache.zookeeper.server.quorum.QuorumPeer.LearnerType;
import org.apache.zookeeper.server.quorum.QuorumPeer.QuorumServer;

/**
 * Three ZooKeeper servers in this process. One follows the leader through a connection that can be
 * made silent, as by a network that loses everything: neither end is told.
 */
public final class ZooKeeperEnsemble implements AutoCloseable {
  private static final int TICK_MILLIS = 1000;
  private static final int LIMIT_TICKS = 5;
  private static final int FAST_ELECTION = 3;
  private static final long FOLLOWER = 3;
  private static final long LEADER = 2;

  private final List<QuorumPeer> peers = new ArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ServerSocket between;
  private final Map<Long, int[]> ports = new HashMap<>();
  private volatile CountDownLatch silence = new CountDownLatch(0);

  private ZooKeeperEnsemble() throws IOException {
    System.setProperty("zookeeper.admin.enableServer", "false");
    for (long id = 1; id <= FOLLOWER; id++) {
      ports.put(id, new int[] {freePort(), freePort(), freePort()});
    }
    between = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  /** Starts the servers; the first two elect the second before the third joins. */
  public static ZooKeeperEnsemble start(Path directory) throws IOException {
    ZooKeeperEnsemble ensemble = new ZooKeeperEnsemble();
    ensemble.add(directory, 1);
    ensemble.add(directory, LEADER);
    while (ensemble.peers.get(1).leader == null) {
      Thread.onSpinWait();
    }
    ensemble.add(directory, FOLLOWER);
    return ensemble;
  }

  private void add(Path directory, long id) throws IOException {
    Map<Long, QuorumServer> view = new HashMap<>();
    for (long other = 1; other <= FOLLOWER; other++) {
      int[] of = ports.get(other);
      boolean proxied = id == FOLLOWER && other == LEADER;
      view.put(
          other,
          new QuorumServer(
              other,
              address(proxied ? between.getLocalPort() : of[0]),
              address(of[1]),
              address(of[2]),
              LearnerType.PARTICIPANT));
    }
    File files = Files.createDirectory(directory.resolve("zookeeper" + id)).toFile();
    QuorumPeer peer =
        new QuorumPeer(
            view,
            files,
            files,
            ports.get(id)[2],
            FAST_ELECTION,
            id,
            TICK_MILLIS,
            LIMIT_TICKS,
            LIMIT_TICKS,
            LIMIT_TICKS);
    peers.add(peer);
    peer.start();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** Where clients of the follower connect. */
  public String follower() {
    return "localhost:" + ports.get(FOLLOWER)[2];
  }

  /** After this time a follower has noticed that it hears nothing. */
  public long noticeMillis() {
    return 2L * LIMIT_TICKS * TICK_MILLIS;
  }

  /** From now on nothing arrives between follower and leader. */
  public void cutFollowerOff() {
    silence = new CountDownLatch(1);
  }

  /** What was held arrives. */
  public void heal() {
    silence.countDown();
  }

  private void accept() {
    try {
      while (true) {
        Socket follower = between.accept();
        Socket leader = new Socket(InetAddress.getLoopbackAddress(), ports.get(LEADER)[0]);
        threads.execute(() -> copy(follower, leader));
        threads.execute(() -> copy(leader, follower));
      }
    } catch (IOException e) {
      // closed by the end of the test
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[1 << 16];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        silence.await();
        out.write(buffer, 0, read);
      }
    } catch (IOException e) {
      // one of them is gone, and so is the other
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    heal();
    for (QuorumPeer peer : peers) {
      peer.shutdown();
      Uninterruptibles.joinUninterruptibly(peer);
    }
    between.close();
    threads.shutdownNow();
  }
}

package org.grampus.server.operator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.net.Address;
import org.grampus.server.env.Env;

/**
 * Restarts region servers one after the other, each while it has no region: it is decommissioned,
 * so that the master gives it none, and its regions are moved to others before, and back
 * afterwards. The balancer is off meanwhile; servers that an operator had drained stay so. For one
 * thread.
 */
final class RollingRestart {
  private static final Duration POLL = Duration.ofMillis(200);

  private static final int TRIES_MAX = 3;

  private final Configuration conf;
  private final RegionMoves moves;
  private final RestartCommand restart;
  private final Duration wait;
  private final Consumer<String> progress;
  private final Drain drain = new Drain();
  private volatile Runnable toRestore = drain::close;
  private volatile boolean restored;

  /**
   * One that has restarted nothing yet.
   *
   * @param wait for a server to be back
   * @param progress takes a line for each step
   */
  RollingRestart(
      Configuration conf,
      RegionMoves moves,
      RestartCommand restart,
      Duration wait,
      Consumer<String> progress) {
    this.conf = conf;
    this.moves = moves;
    this.restart = restart;
    this.wait = wait;
    this.progress = progress;
  }

  /**
   * Restarts servers.
   *
   * @param wanted {@code HOST:PORT} of each, or none for all
   * @throws IOException at the first that fails: those after it are left alone, and its regions are
   *     where they were moved to
   */
  void run(Collection<String> wanted) throws IOException, InterruptedException {
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      List<Address> servers = inOrder(connection, admin, wanted);
      keepDrained(admin.listDecommissionedRegionServers());
      restartAll(admin, servers, admin.balancerSwitch(false, true));
    }
  }

  /**
   * What the end of this process has to do, also after Ctrl-C: the balancer and the drain outlive
   * it, and nothing else would turn them back.
   *
   * @param unlock lets another rolling restart begin; the last, since that one would take what is
   *     not restored yet for what was before
   */
  void atExit(Runnable unlock) {
    try {
      toRestore.run();
    } finally {
      unlock.run();
    }
  }

  /** Takes the servers that are drained, and stay so. */
  void keepDrained(Collection<ServerName> drained) {
    drain.keep(drained);
  }

  /**
   * Restarts servers, and restores what was before.
   *
   * @throws IOException also when that alone fails
   */
  void restartAll(Admin admin, List<Address> servers, boolean balanced)
      throws IOException, InterruptedException {
    toRestore = () -> restore(balanced);
    try {
      for (Address server : servers) {
        restart(admin, live(admin, server));
      }
    } finally {
      restored = restore(admin, balanced);
    }
    if (!restored) {
      throw new IOException("all have been restarted, but not all is as before; see above");
    }
  }

  /** Turns the balancer back and ends the drain, when this process ends before it has done so. */
  void restore(boolean balanced) {
    if (restored) {
      return;
    }
    drain.close();
    announce(balanced);
    try (Connection another = ConnectionFactory.createConnection(conf);
        Admin admin = another.getAdmin()) {
      restore(admin, balanced);
    } catch (IOException | RuntimeException e) {
      stillDrained(e);
      notDrained(e);
      stillOff(balanced, e);
    }
  }

  /** Without a master the requests after it take minutes, and no signal ends them. */
  private void announce(boolean balanced) {
    String byHand =
        Stream.of(drain.endByHand(), drain.renewByHand(), "balance_switch " + balanced)
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("; "));
    progress.accept("cleaning up; if this hangs, in the shell: " + byHand);
  }

  /** Each by itself: one that fails must not keep the others from being done. */
  boolean restore(Admin admin, boolean balanced) {
    boolean ended = tried(() -> drain.end(admin), this::stillDrained);
    boolean renewed = tried(() -> drain.renew(admin), this::notDrained);
    boolean switched =
        tried(() -> admin.balancerSwitch(balanced, false), e -> stillOff(balanced, e));
    return ended && renewed && switched;
  }

  private interface Request {
    void run() throws IOException;
  }

  private static boolean tried(Request request, Consumer<Exception> failed) {
    try {
      request.run();
      return true;
    } catch (IOException | RuntimeException e) {
      failed.accept(e);
      return false;
    }
  }

  private void stillDrained(Exception e) {
    if (!drain.endByHand().isEmpty()) {
      progress.accept(
          "a server still gets no regions; in the shell: " + drain.endByHand() + " (" + e + ")");
    }
  }

  private void notDrained(Exception e) {
    if (!drain.renewByHand().isEmpty()) {
      progress.accept(
          "servers that were drained before may get regions; in the shell: "
              + drain.renewByHand()
              + " ("
              + e
              + ")");
    }
  }

  private void stillOff(boolean balanced, Exception e) {
    progress.accept(
        "the balancer may still be off; in the shell: balance_switch " + balanced + " (" + e + ")");
  }

  private static ServerName live(Admin admin, Address address) throws IOException {
    return admin.getRegionServers().stream()
        .filter(server -> server.getAddress().equals(address))
        .findFirst()
        .orElseThrow(() -> new IOException(address + " does not run any more"));
  }

  /** The server of hbase:meta comes last, so that this region moves once and back. */
  private static List<Address> inOrder(
      Connection connection, Admin admin, Collection<String> wanted) throws IOException {
    List<ServerName> live = new ArrayList<>(admin.getRegionServers());
    if (live.size() < 2) {
      throw new IOException(
          "there is no other region server to move regions to; restart the only one by itself");
    }
    List<String> addresses = live.stream().map(server -> server.getAddress().toString()).toList();
    for (String address : wanted) {
      if (!addresses.contains(address)) {
        throw new IOException("no region server is " + address + "; there are " + addresses);
      }
    }
    live.removeIf(server -> !wanted.isEmpty() && !wanted.contains(server.getAddress().toString()));
    try (RegionLocator meta = connection.getRegionLocator(TableName.META_TABLE_NAME)) {
      ServerName last = meta.getRegionLocation(new byte[0], true).getServerName();
      if (live.remove(last)) {
        live.add(last);
      }
    }
    return live.stream().map(ServerName::getAddress).toList();
  }

  /** Restarts one; however that ends, the server gets regions again. */
  void restart(Admin admin, ServerName server) throws IOException, InterruptedException {
    drain.requireOpen(server);
    if (drain.keeps(admin, server)) {
      restartDrained(admin, server);
      return;
    }
    List<Path> regions = new ArrayList<>();
    try {
      drain.begin(admin, server);
      int count = admin.getRegions(server).size();
      progress.accept(server.getAddress() + ": moving " + count + " regions away");
      moveAway(admin, server, regions);
      drain.requireOpen(server);
      long stopped = Env.nanos();
      restart.run(server);
      await(admin, server);
      drain.end(admin);
      progress.accept(
          server.getAddress()
              + ": back after "
              + Duration.ofNanos(Env.nanos() - stopped).toMillis()
              + " ms, moving regions back");
      moveBack(admin, server, regions);
    } finally {
      endDrain(admin);
      delete(regions);
    }
  }

  private static void delete(List<Path> files) throws IOException {
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  /**
   * One that an operator had drained. It gets no regions afterwards, but may have some: to drain is
   * to give it no more, and where they are moved as well that may be under way.
   */
  private void restartDrained(Admin admin, ServerName server)
      throws IOException, InterruptedException {
    progress.accept(server.getAddress() + ": was drained before, and stays so");
    drain.renew(admin); // it may be a later process than the one that was drained
    moveRestAway(admin, server);
    drain.requireOpen(server);
    restart.run(server);
    await(admin, server);
    drain.renew(admin);
    admin.recommissionRegionServer(server, List.of()); // the process that has ended
  }

  private void moveRestAway(Admin admin, ServerName server)
      throws IOException, InterruptedException {
    int count = admin.getRegions(server).size();
    if (count == 0) {
      return;
    }
    progress.accept(server.getAddress() + ": moving " + count + " regions away, for good");
    List<Path> regions = new ArrayList<>();
    try {
      moveAway(admin, server, regions);
    } finally {
      delete(regions);
    }
  }

  private void endDrain(Admin admin) {
    tried(() -> drain.end(admin), this::stillDrained); // what ends this process tries again
  }

  /**
   * Moves the regions away. A region that is in transition at the moment fails a RegionMover, which
   * leaves the rest where it is; each notes in a file of its own which regions it has moved.
   */
  private void moveAway(Admin admin, ServerName server, List<Path> regions)
      throws IOException, InterruptedException {
    boolean done = false;
    for (int tries = 0; !done && tries < TRIES_MAX; tries++) {
      awaitRest(admin);
      regions.add(Files.createTempFile("grampus-regions", ""));
      done = moves.away(server, regions.get(tries)) && admin.getRegions(server).isEmpty();
    }
    require(done, "cannot move the regions of " + server + " away");
  }

  /** Waits a while for regions that are in transition; some may be so for good. */
  private static void awaitRest(Admin admin) throws IOException, InterruptedException {
    long deadline = Env.nanos() + RegionMoves.MOVE_MAX.toNanos();
    EnumSet<ClusterMetrics.Option> transitions =
        EnumSet.of(ClusterMetrics.Option.REGIONS_IN_TRANSITION);
    while (!admin.getClusterMetrics(transitions).getRegionStatesInTransition().isEmpty()
        && Env.nanos() - deadline < 0) {
      Env.sleep(POLL);
    }
  }

  /**
   * The master may take a server that has just come for a good place of other regions, and not of
   * those of system tables; RegionMover then waits in vain for its whole time. The next one finds
   * most regions where they belong.
   */
  private void moveBack(Admin admin, ServerName server, List<Path> regions)
      throws IOException, InterruptedException {
    for (Path file : regions) {
      boolean done = Files.size(file) == 0;
      for (int tries = 0; !done && tries < TRIES_MAX; tries++) {
        awaitRest(admin);
        done = moves.back(server, file);
      }
      require(done, "cannot move the regions of " + server + " back");
    }
  }

  private static void require(boolean done, String failure) throws IOException {
    if (!done) {
      throw new IOException(failure + "; the log of this command says which and why");
    }
  }

  private void await(Admin admin, ServerName before) throws IOException, InterruptedException {
    long deadline = Env.nanos() + wait.toNanos();
    while (admin.getRegionServers().stream().noneMatch(now -> isNext(before, now))) {
      if (Env.nanos() - deadline > 0) {
        throw new IOException(
            before.getAddress() + " is not back after " + wait.toSeconds() + " s; see its log");
      }
      Env.sleep(POLL);
    }
  }

  private static boolean isNext(ServerName before, ServerName now) {
    return now.getAddress().equals(before.getAddress())
        && now.getStartCode() > before.getStartCode();
  }
}

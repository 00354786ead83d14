package org.grampus.perf.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.Connection;
import org.grampus.compat.suite.Violations;
import org.grampus.perf.ToolException;

/**
 * Injects one fault after another, and measures for how long the cluster is unavailable. For one
 * thread.
 */
public final class FaultInjector {
  private static final double NANOS = 1e9;
  private static final double MILLIS = 1e3;

  /** Not ZooKeeper, of which there is one. */
  private static final List<Role> ROLES =
      List.of(Role.REGION_SERVER, Role.MASTER, Role.DATA_NODE, Role.NAME_NODE);

  /** Of a region server with ZooKeeper, while nothing is wrong. */
  private static final int CONTACTS_PER_SESSION = 10;

  /** ZooKeeper's client waits for up to a second before it connects again; the rest is slack. */
  private static final int CONNECTING_MILLIS = 1500;

  private final Cluster cluster;
  private final Probe probe;
  private final Connection operator;
  private final Random random;
  private final Violations violations;
  private final ServiceManager services;
  private final Recovery recovery;
  private final long unavailableMillisMax;
  private final long began = System.nanoTime();
  private long longestMillis;

  /**
   * One that has injected nothing yet.
   *
   * @param operator asks for the active master
   * @param random decides on all faults, and on nothing else
   * @param unavailableMillisMax what a region may take to answer again without a violation, in
   *     milliseconds
   */
  public FaultInjector(
      Cluster cluster,
      Probe probe,
      Connection operator,
      Random random,
      Violations violations,
      long unavailableMillisMax) {
    this.cluster = cluster;
    this.probe = probe;
    this.operator = operator;
    this.random = random;
    this.violations = violations;
    this.unavailableMillisMax = unavailableMillisMax;
    services = new ServiceManager(cluster, violations);
    recovery = new Recovery(cluster, probe, operator, services);
  }

  /**
   * Injects faults until the time is over; returns how many.
   *
   * @param seconds in which they begin
   * @param period from one to the next in seconds, if requests are answered again by then
   */
  public int run(long seconds, long period)
      throws ToolException, IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    return runWhile(() -> System.nanoTime() - end < 0, period);
  }

  /** The same as long as something else goes on, which is asked before each fault. */
  public int runWhile(BooleanSupplier goesOn, long period)
      throws ToolException, IOException, InterruptedException {
    int faults = 0;
    while (goesOn.getAsBoolean()) {
      long next = System.nanoTime() + TimeUnit.SECONDS.toNanos(period);
      inject(next);
      faults++;
    }
    return faults;
  }

  /**
   * Waits until the cluster serves again after something else than its own faults.
   *
   * @param event what happened, in sentences
   */
  public void recover(String event) throws ToolException, IOException, InterruptedException {
    recovery.await(event, System.nanoTime());
  }

  /** The longest time in which a region was unavailable, in milliseconds. */
  public long longestMillis() {
    return longestMillis;
  }

  /** Looks once more for what has ended by itself. */
  public void lookAgain() throws IOException {
    services.revive("after the last fault");
  }

  private void inject(long next) throws ToolException, IOException, InterruptedException {
    Role role = ROLES.get(random.nextInt(ROLES.size()));
    List<Node> nodes = cluster.nodes(role);
    Node node = nodes.get(random.nextInt(nodes.size()));
    Fault fault = Fault.any(random);
    // Half of the times are longer than a session.
    Duration time = Duration.ofMillis(random.nextInt(2 * cluster.sessionMillis()));
    services.revive("before " + node + " is " + fault);
    services.mayEndNoMore();
    String event = event(node, fault);
    System.out.print(event);
    System.out.flush();
    probe.forget();
    long before = System.nanoTime();
    fault.inject(node.daemon(), time);
    Duration away = Duration.ofNanos(System.nanoTime() - before); // a busy machine adds to the time
    if (fault == Fault.PAUSE && mayEndSession(away, cluster.sessionMillis())) {
      services.mayEnd(node);
    }
    List<Node> ended = recovery.await(event.strip(), next);
    report(event.strip(), ended);
  }

  /**
   * Whether the session of a region server may have ended by a pause, as ZooKeeper counts, and with
   * it the master: from when it last heard of the server, which was a tenth of a session before the
   * pause at most, since the fence asks as often.
   *
   * <p>A server that has heard nothing for two thirds of its session when it goes on leaves its
   * connection and makes a new one, which is ZooKeeper's client's rule. Until then ZooKeeper hears
   * nothing: a pause can end a session that it is shorter than. After a shorter silence the
   * connection stays, and is used at once.
   */
  static boolean mayEndSession(Duration pause, int sessionMillis) {
    long silentMillis = pause.toMillis() + sessionMillis / CONTACTS_PER_SESSION;
    boolean connectsAnew = silentMillis * 3 >= sessionMillis * 2L;
    return connectsAnew && silentMillis + CONNECTING_MILLIS >= sessionMillis;
  }

  private String event(Node node, Fault fault) {
    double at = (System.nanoTime() - began) / NANOS;
    String active = isActive(node) ? " (active)" : "";
    return String.format(Locale.ROOT, "%6.1f s  %-14s %-9s%-9s ", at, node, fault, active);
  }

  private boolean isActive(Node node) {
    try {
      return node.role() == Role.MASTER
          && cluster.activeMaster(operator).filter(node::equals).isPresent();
    } catch (IOException e) {
      return false; // none is, for the moment
    }
  }

  private void report(String event, List<Node> ended) {
    long millis = probe.unavailableMillis();
    longestMillis = Math.max(longestMillis, millis);
    System.out.printf(
        Locale.ROOT,
        "unavailable for %4.1f s%s%n",
        millis / MILLIS,
        ended.isEmpty() ? "" : "; ended by itself: " + ended);
    if (millis > unavailableMillisMax) {
      violations.add(event + ": a region was unavailable for " + millis + " ms");
    }
  }
}

package org.grampus.compat.suite.hostile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs every attack beside a good client against a server that runs on loopback, and judges: the
 * good client keeps its share of its speed and sees no error, the process stays, its memory stays
 * within its limit, and afterwards connections, threads and bytes in flight are as before. An
 * attack that came to nothing is a fault, too. Exit code 0 only without one.
 */
@Command(
    name = "hostile",
    mixinStandardHelpOptions = true,
    description = "Attacks a server and looks how a good client fares.")
public final class HostileClients implements Callable<Integer> {
  private static final int RECOVERY_SECONDS = 30;
  private static final int THREADS_MORE = 10;
  private static final int SOCKETS_MORE = 5;

  /** Of the first speed, afterwards: what else the machine does counts, too. */
  private static final int RECOVERED_PART = 4;

  @Option(names = "--pid", required = true, description = "The server's process.")
  private long pid;

  @Option(names = "--memory", required = true, description = "Megabytes that it was given.")
  private long megabytes;

  @Option(
      names = "--seconds",
      defaultValue = "4",
      description = "Length of an attack. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--share",
      defaultValue = "50",
      description =
          "Percent of its speed that the good client keeps at least. Default: ${DEFAULT-VALUE}")
  private int share;

  @Option(names = "--metrics", description = "The file that its metrics go to.")
  private Path metrics;

  @Option(names = "--attack", description = "Only the attacks whose name begins so.")
  private List<String> only = new ArrayList<>();

  private final List<String> faults = new ArrayList<>();
  private int attacksRun;

  /** Runs the attacks. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new HostileClients()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    ServerState state = new ServerState(pid, metrics);
    try (Connection connection = ConnectionFactory.createConnection(conf)) {
      Victim victim = Tables.create(connection, conf.getInt("hbase.regionserver.port", 16020));
      try (GoodClient good = new GoodClient(connection);
          AttackerProcess attackers = new AttackerProcess(victim)) {
        run(attackers, good, state);
      }
    }
    faults.forEach(fault -> System.out.println("FAULT: " + fault));
    System.out.println(
        "checked: attacks="
            + attacksRun
            + " faults="
            + faults.size()
            + " peak="
            + state.peakMegabytes()
            + " MB of "
            + megabytes);
    return faults.isEmpty() ? 0 : 1;
  }

  private void run(AttackerProcess attackers, GoodClient good, ServerState state) throws Exception {
    operationsPerSecond(good, 5); // warm
    long first = operationsPerSecond(good, 5);
    long threads = state.threads();
    int sockets = state.sockets();
    System.out.printf(
        "quiet: %d operations/s, %d MB at most, %d threads, %d sockets%n",
        first, state.peakMegabytes(), threads, sockets);
    for (Attack attack : Attackers.ALL) {
      if (!only.isEmpty() && only.stream().noneMatch(attack.name()::startsWith)) {
        continue;
      }
      attacksRun++;
      Outcome outcome = outcomeOf(attack, attackers, good, state);
      System.out.println(outcome.line(state));
      if (!judge(outcome, good, state)) {
        return;
      }
    }
    if (attacksRun == 0) {
      faults.add("no attack has such a name: " + only);
    }
    awaitQuiet(state, threads, sockets);
    long after = operationsPerSecond(good, 5);
    System.out.printf(
        "after: %d operations/s, %d threads, %d sockets, %d bytes in flight%n",
        after, state.threads(), state.sockets(), state.bytesInFlight());
    if (first == 0 || after < first / RECOVERED_PART) {
      faults.add("the good client does not come back to its speed");
    }
  }

  private boolean isBelowShare(long rate, long quiet) {
    return rate * 100 < quiet * share;
  }

  /** What an attack did to the good client, whose speed without it is {@code quiet}. */
  private record Outcome(
      String attack,
      long repliesMin,
      long quiet,
      long rate,
      int errors,
      long nanos,
      long processorMillis,
      Traffic traffic) {
    String line(ServerState state) {
      return String.format(
          "%-20s good client: %d of %d operations/s (%d %%), %d errors; server: %s, %d MB at most,"
              + " %d %% of a processor; attackers: %s",
          attack,
          rate,
          quiet,
          rate * 100 / Math.max(quiet, 1),
          errors,
          state.isAlive() ? "runs" : "HAS ENDED",
          state.peakMegabytes(),
          processorMillis * 100 / TimeUnit.NANOSECONDS.toMillis(nanos),
          traffic);
    }
  }

  private Outcome outcomeOf(
      Attack attack, AttackerProcess attackers, GoodClient good, ServerState state)
      throws Exception {
    attackers.prepare(attack);
    long quiet = operationsPerSecond(good, 2); // just before, for the machine may have other work
    long before = good.operations();
    int errorsBefore = good.errors();
    long processorBefore = state.processorMillis();
    long start = System.nanoTime();
    Traffic traffic = attackers.run(seconds);
    long nanos = System.nanoTime() - start;
    return new Outcome(
        attack.name(),
        attack.repliesMin(),
        quiet,
        (good.operations() - before) * TimeUnit.SECONDS.toNanos(1) / nanos,
        good.errors() - errorsBefore,
        nanos,
        state.processorMillis() - processorBefore,
        traffic);
  }

  /** Notes what is wrong after an attack; false when the server has ended. */
  private boolean judge(Outcome outcome, GoodClient good, ServerState state) {
    String attack = outcome.attack();
    if (!state.isAlive()) {
      faults.add(attack + ": the process has ended");
      return false;
    }
    if (outcome.traffic().connections() == 0
        || outcome.traffic().replies() < outcome.repliesMin()) {
      faults.add(attack + ": came to nothing, " + outcome.traffic());
    }
    if (outcome.quiet() == 0) {
      faults.add(attack + ": the good client did nothing just before");
    }
    if (isBelowShare(outcome.rate(), outcome.quiet())) {
      faults.add(attack + ": the good client has less than " + share + " % of its speed");
    }
    if (outcome.errors() > 0) {
      faults.add(
          attack + ": the good client saw " + outcome.errors() + " errors, " + good.lastError());
    }
    if (state.peakMegabytes() > megabytes) {
      faults.add(attack + ": " + state.peakMegabytes() + " MB of " + megabytes);
    }
    return true;
  }

  private void awaitQuiet(ServerState state, long threads, int sockets) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(RECOVERY_SECONDS);
    while (System.nanoTime() - end < 0) {
      if (state.threads() <= threads + THREADS_MORE
          && state.sockets() <= sockets + SOCKETS_MORE
          && state.bytesInFlight() < 1 << 20) {
        return;
      }
      Thread.sleep(500);
    }
    faults.add(
        "afterwards "
            + state.threads()
            + " threads, "
            + state.sockets()
            + " sockets, "
            + state.bytesInFlight()
            + " bytes in flight");
  }

  private static long operationsPerSecond(GoodClient good, int seconds)
      throws InterruptedException {
    long before = good.operations();
    TimeUnit.SECONDS.sleep(seconds);
    return (good.operations() - before) / seconds;
  }
}

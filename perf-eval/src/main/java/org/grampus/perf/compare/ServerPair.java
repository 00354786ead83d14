package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;

/** Two fresh servers with the same memory in all, which run at once. For one thread. */
public final class ServerPair implements AutoCloseable {
  private static final long GRAMPUS_HEAP_MB = 512;
  private static final int HEAP_PART = 4;

  /** Each connection of a client is one of ZooKeeper's, too, which takes 300 of an address. */
  private static final int ZOOKEEPER_CONNECTIONS = 2000;

  private final MeasuredServer first;
  private final MeasuredServer second;
  private final long memoryMb;
  private final Optional<Observation> observation;

  private ServerPair(
      MeasuredServer first,
      MeasuredServer second,
      long memoryMb,
      Optional<Observation> observation) {
    this.first = first;
    this.second = second;
    this.memoryMb = memoryMb;
    this.observation = observation;
  }

  /**
   * Starts both.
   *
   * @param directory theirs
   */
  public static ServerPair start(Checkout checkout, PairPlan plan, Path directory)
      throws ToolException, IOException, InterruptedException {
    long memoryMb = plan.memoryMb();
    int port = FreePorts.next();
    boolean observing = plan.other().isUnobserved();
    ServerPlan alone = grampus(memoryMb);
    ServerPlan grampus = observing ? Observation.plan(alone, port) : alone;
    ServerPlan other = other(plan.other(), memoryMb);
    ServerPlan one = complete(plan, plan.otherFirst() ? other : grampus);
    ServerPlan two = complete(plan, plan.otherFirst() ? grampus : other);
    MeasuredServer first = MeasuredServer.start(checkout, directory.resolve(one.name()), one);
    try {
      MeasuredServer second = MeasuredServer.start(checkout, directory.resolve(two.name()), two);
      Path sink = (isGrampus(first) ? first : second).metricsFile();
      Optional<Observation> observation =
          observing ? Optional.of(new Observation(sink, new InfoPages(port))) : Optional.empty();
      return new ServerPair(first, second, memoryMb, observation);
    } catch (ToolException | IOException | InterruptedException e) {
      first.close();
      throw e;
    }
  }

  /** Each has a root directory of its own, and a new one in each round. */
  private static ServerPlan complete(PairPlan pair, ServerPlan plan) {
    return pair.hdfs()
        .map(uri -> plan.rootedAt(uri + "/" + plan.name() + "-" + UUID.randomUUID()))
        .orElse(plan);
  }

  /** Another Grampus has the memory of the compared one, and is told from it by its name. */
  static ServerPlan other(Other other, long memoryMb) {
    return other
        .checkout()
        .map(from -> grampus(memoryMb).from(other.title(), from))
        .orElse(hbase(memoryMb));
  }

  /** Grampus as rows are measured on it, with this memory in all, of which a part is its heap. */
  public static ServerPlan grampus(long memoryMb) {
    return ofKind(ServerKind.GRAMPUS)
        .memoryMb(memoryMb)
        .heapMb(Math.min(GRAMPUS_HEAP_MB, memoryMb / HEAP_PART));
  }

  /**
   * All memory is its heap. It leaves files that were replaced for two minutes, and has no ZSTD,
   * unless told otherwise.
   */
  private static ServerPlan hbase(long memoryMb) {
    return ofKind(ServerKind.HBASE)
        .heapMb(memoryMb)
        .setting("hbase.hfile.compaction.discharger.interval", 1000)
        .setting(
            "hbase.io.compress.zstd.codec", "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
  }

  private static ServerPlan ofKind(ServerKind kind) {
    return ServerPlan.of(kind)
        .setting("hbase.zookeeper.property.maxClientCnxns", ZOOKEEPER_CONNECTIONS);
  }

  /** In the order of their first turn. */
  List<MeasuredServer> servers() {
    return List.of(first, second);
  }

  /** The same as rows are measured on them: pages are only asked for in their server's turns. */
  List<Target> targets(Bench bench) {
    return servers().stream().map(server -> target(server, bench)).toList();
  }

  private Target target(MeasuredServer server, Bench bench) {
    Target alone = new ServerTarget(server, bench);
    return observation
        .filter(any -> isGrampus(server))
        .map(its -> its.observed(alone))
        .orElse(alone);
  }

  /**
   * Counts what a sink has written, if there is one. With the regions of a table that goes its file
   * begins anew.
   *
   * @param sinceMillis from then on, in milliseconds since 1970
   */
  void countSink(long sinceMillis) throws IOException {
    if (observation.isPresent()) {
      observation.get().count(sinceMillis, System.currentTimeMillis());
    }
  }

  private static boolean isGrampus(MeasuredServer server) {
    return server.toString().equals(Pairs.GRAMPUS);
  }

  /**
   * Says what Grampus has had in memory, and stops both. More than a quarter above what Grampus was
   * given is a failure, a sink that did not write, a page that did not come, and a server that does
   * not stop in time.
   *
   * @param notes takes the sentence about memory
   */
  public void stop(Failures failures, Consumer<String> notes)
      throws IOException, InterruptedException {
    MeasuredServer grampus = isGrampus(first) ? first : second;
    failures.keep(() -> notes.accept(grampus.checkMemory(memoryMb)));
    if (observation.isPresent()) {
      failures.keep(() -> notes.accept(observation.get().found()));
    }
    failures.keep(first::stop);
    failures.keep(second::stop);
  }

  /** Kills what still runs. */
  @Override
  public void close() {
    observation.ifPresent(Observation::close);
    first.close();
    second.close();
  }
}

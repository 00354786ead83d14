package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Checkout;
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

  private ServerPair(MeasuredServer first, MeasuredServer second, long memoryMb) {
    this.first = first;
    this.second = second;
    this.memoryMb = memoryMb;
  }

  /**
   * Starts both.
   *
   * @param earlier the checkout of an earlier Grampus, or none for a stock HBase
   * @param hdfs the URI of an HDFS that has their files, or none for the machine's disks
   * @param directory theirs
   * @param otherFirst whether the other server is the first to start and to take its turn
   */
  public static ServerPair start(
      Checkout checkout,
      Optional<Checkout> earlier,
      Optional<String> hdfs,
      Path directory,
      long memoryMb,
      boolean otherFirst)
      throws ToolException, IOException, InterruptedException {
    ServerPlan other = earlier.map(from -> grampus(memoryMb).from(from)).orElse(hbase(memoryMb));
    ServerPlan one = complete(hdfs, otherFirst ? other : grampus(memoryMb));
    ServerPlan two = complete(hdfs, otherFirst ? grampus(memoryMb) : other);
    MeasuredServer first = MeasuredServer.start(checkout, directory.resolve(one.name()), one);
    try {
      MeasuredServer second = MeasuredServer.start(checkout, directory.resolve(two.name()), two);
      return new ServerPair(first, second, memoryMb);
    } catch (ToolException | IOException | InterruptedException e) {
      first.close();
      throw e;
    }
  }

  /** Each has a root directory of its own, and a new one in each round. */
  private static ServerPlan complete(Optional<String> hdfs, ServerPlan plan) {
    ServerPlan open =
        plan.setting("hbase.zookeeper.property.maxClientCnxns", ZOOKEEPER_CONNECTIONS);
    return hdfs.map(uri -> open.rootedAt(uri + "/" + plan.name() + "-" + UUID.randomUUID()))
        .orElse(open);
  }

  private static ServerPlan grampus(long memoryMb) {
    return ServerPlan.of(ServerKind.GRAMPUS)
        .memoryMb(memoryMb)
        .heapMb(Math.min(GRAMPUS_HEAP_MB, memoryMb / HEAP_PART));
  }

  /**
   * All memory is its heap. It leaves files that were replaced for two minutes, and has no ZSTD,
   * unless told otherwise.
   */
  private static ServerPlan hbase(long memoryMb) {
    return ServerPlan.of(ServerKind.HBASE)
        .heapMb(memoryMb)
        .setting("hbase.hfile.compaction.discharger.interval", 1000)
        .setting(
            "hbase.io.compress.zstd.codec", "org.apache.hadoop.hbase.io.compress.zstd.ZstdCodec");
  }

  /** In the order of their first turn. */
  public List<MeasuredServer> servers() {
    return List.of(first, second);
  }

  /**
   * Says what Grampus has had in memory, and stops both. More than a quarter above what Grampus was
   * given is a failure, and a server that does not stop in time.
   *
   * @param notes takes the sentence about memory
   */
  public void stop(Failures failures, Consumer<String> notes)
      throws IOException, InterruptedException {
    MeasuredServer grampus = first.toString().equals(Pairs.GRAMPUS) ? first : second;
    failures.keep(() -> notes.accept(grampus.checkMemory(memoryMb)));
    failures.keep(first::stop);
    failures.keep(second::stop);
  }

  /** Kills what still runs. */
  @Override
  public void close() {
    first.close();
    second.close();
  }
}

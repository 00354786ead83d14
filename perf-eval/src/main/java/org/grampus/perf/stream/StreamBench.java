package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.grampus.perf.hadoop.Compilers;
import org.grampus.perf.hadoop.Hdfs;
import org.grampus.perf.hadoop.HdfsHosts;
import org.grampus.perf.process.Checkout;

/** An HDFS of its own on loopback, and files that are written there. For one thread. */
public final class StreamBench implements AutoCloseable {
  /** Data nodes: as many as replicas, so each has every block. */
  public static final int DATA_NODES = 3;

  /** Groups that a file has to have room for: of fewer there are no percentiles. */
  public static final int GROUPS_MIN = 64;

  /** A file has one block, of HDFS's default size. */
  private static final int BLOCK_BYTES = 128 << 20;

  /** The largest group that can be measured, in KiB. */
  public static final int GROUP_KIB_MAX = (BLOCK_BYTES / GROUPS_MIN) >> 10;

  private static final Map<String, String> KEYS =
      Map.of("dfs.blocksize", String.valueOf(BLOCK_BYTES));

  private final Hdfs hdfs;
  private final TurnMeter meter;
  private LogFiles files;

  private StreamBench(Hdfs hdfs) {
    this.hdfs = hdfs;
    this.meter = new TurnMeter(System::nanoTime, () -> CpuMicros.of(hdfs));
  }

  /**
   * Starts the daemons.
   *
   * @param directory of all that they keep
   * @param eventLoops threads of Netty below fan-out streams, or 0 for HBase's default
   */
  public static StreamBench start(Checkout checkout, Path directory, int eventLoops)
      throws ToolException, IOException, InterruptedException {
    HdfsHosts hosts = HdfsHosts.loopback(DATA_NODES);
    StreamBench bench =
        new StreamBench(Hdfs.create(checkout, directory, hosts, KEYS, Compilers.BOTH));
    try {
      bench.hdfs.start();
      bench.files = new LogFiles(bench.hdfs.uri(), bench.hdfs.configuration(), eventLoops);
      return bench;
    } catch (ToolException | IOException | InterruptedException | RuntimeException e) {
      bench.close();
      throw e;
    }
  }

  /**
   * Writes a file until the time is over or its block is full, and deletes it.
   *
   * @throws ToolException when its block has lost a replica meanwhile
   */
  public Turn turn(Variant variant, int seconds) throws ToolException, IOException {
    var file = files.next();
    Turn turn;
    try (LogStream out = files.create(file, variant)) {
      turn = measured(out, variant, TimeUnit.SECONDS.toNanos(seconds));
      requireAll(files.replicas(file), variant);
    }
    files.delete(file);
    return turn;
  }

  private Turn measured(LogStream out, Variant variant, long nanosMax) throws IOException {
    int bytes = variant.groupBytes();
    return meter.measure(
        out, group(bytes), variant.inFlight(), files.blockBytes() / bytes, nanosMax);
  }

  private static ByteBuffer group(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteBuffer.allocateDirect(size).put(bytes).flip();
  }

  private static void requireAll(int replicas, Variant variant) throws ToolException {
    if (replicas != DATA_NODES) {
      throw new ToolException(
          variant
              + ": a block was written to "
              + replicas
              + " data nodes and not to "
              + DATA_NODES
              + ": the logs of the data nodes say why");
    }
  }

  @Override
  public void close() throws IOException {
    try (hdfs) {
      if (files != null) {
        files.close();
      }
    }
  }
}

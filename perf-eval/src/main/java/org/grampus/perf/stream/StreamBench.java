package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.grampus.perf.ToolException;
import org.grampus.perf.hadoop.Hdfs;
import org.grampus.perf.hadoop.HdfsHosts;
import org.grampus.perf.process.Checkout;

/** An HDFS of its own on loopback, and files that are written there. For one thread. */
public final class StreamBench implements AutoCloseable {
  /** Data nodes: as many as replicas, so each has every block. */
  public static final int DATA_NODES = 3;

  private final Hdfs hdfs;
  private LogFiles files;

  private StreamBench(Hdfs hdfs) {
    this.hdfs = hdfs;
  }

  /**
   * Starts the daemons.
   *
   * @param directory of all that they keep
   * @param eventLoops threads of Netty below fan-out streams
   */
  public static StreamBench start(Checkout checkout, Path directory, int eventLoops)
      throws ToolException, IOException, InterruptedException {
    HdfsHosts hosts = HdfsHosts.loopback(DATA_NODES);
    StreamBench bench = new StreamBench(Hdfs.create(checkout, directory, hosts, Map.of()));
    try {
      bench.hdfs.start();
      bench.files = new LogFiles(bench.hdfs.uri(), bench.hdfs.configuration(), eventLoops);
      return bench;
    } catch (ToolException | IOException | InterruptedException | RuntimeException e) {
      bench.close();
      throw e;
    }
  }

  /** Writes a file until the time is over or its block is full, and deletes it. */
  public Turn turn(Variant variant, int seconds) throws IOException {
    var file = files.next();
    Turn turn;
    try (LogStream out = files.create(file, variant)) {
      turn = measured(out, variant, TimeUnit.SECONDS.toNanos(seconds));
    }
    files.delete(file);
    return turn;
  }

  private Turn measured(LogStream out, Variant variant, long nanosMax) throws IOException {
    GroupWriter writer = new GroupWriter(out, variant.inFlight(), System::nanoTime);
    ByteBuffer group = group(variant.groupBytes());
    CpuMicros cpu = CpuMicros.of(hdfs);
    long begun = System.nanoTime();
    Histogram latencies = writer.write(group, files.blockBytes() / variant.groupBytes(), nanosMax);
    long nanos = System.nanoTime() - begun;
    return new Turn(latencies, nanos, CpuMicros.of(hdfs).minus(cpu));
  }

  private static ByteBuffer group(int size) {
    byte[] bytes = new byte[size];
    new Random(size).nextBytes(bytes);
    return ByteBuffer.allocateDirect(size).put(bytes).flip();
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

package org.grampus.server.memory;

import com.sun.management.OperatingSystemMXBean;
import io.netty.util.internal.PlatformDependent;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.conf.Configuration;

/**
 * What of the server's memory clients' requests may take, in bytes. {@code grampus.memory.bytes} is
 * the total of the server.
 *
 * @param total of the server: JVM with its direct buffers, engine and scanners
 * @param direct Netty's buffers: requests, expanded cell blocks, replies
 * @param heap messages on the Java heap
 * @param scanners what the engine keeps for open scanners between their calls
 * @param largeReads what the engine holds of large cells while it reads them
 */
public record MemoryLimits(long total, long direct, long heap, long scanners, long largeReads) {
  private static final String TOTAL = "grampus.memory.bytes";
  private static final String DIRECT = "grampus.memory.direct.bytes";
  private static final long MIN_DIRECT = 64L << 20;
  private static final int DIRECT_PART = 4;

  /**
   * Two requests of HBase's largest size. A server that gives more gives an eighth of its total.
   */
  private static final long TWO_REQUESTS = 512L << 20;

  private static final int LARGE_DIRECT_PART = 8;

  /** Of the total for reads of large cells. */
  private static final int LARGE_READS_PART = 64;

  /** Factor of the scanners' pool over that part: both together are a sixteenth of the total. */
  private static final int SCANNERS_TIMES = 3;

  /** Reads the limits; those of the JVM bound them. */
  public static MemoryLimits from(Configuration conf) {
    long total = conf.getLongBytes(TOTAL, physical() / 2);
    // Netty keeps chunks for its threads beside what is in use.
    long direct = PlatformDependent.maxDirectMemory() / 8 * 7;
    long part = Math.max(Math.min(total / DIRECT_PART, TWO_REQUESTS), total / LARGE_DIRECT_PART);
    part = Math.max(part, MIN_DIRECT);
    direct = Math.min(direct, Math.max(1, conf.getLongBytes(DIRECT, part)));
    // As much again for what the server keeps and for what the collector has not found yet.
    long heap = Runtime.getRuntime().maxMemory() / 8 * 3;
    long largeReads = total / LARGE_READS_PART;
    return new MemoryLimits(total, direct, heap, SCANNERS_TIMES * largeReads, largeReads);
  }

  /** An account with these limits. */
  public MemoryAccount account() {
    return new MemoryAccount(direct, heap, scanners);
  }

  private static long physical() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}

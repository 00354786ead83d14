package org.grampus.server.daemon;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.conf.Configuration;

/**
 * How the server's memory is shared out, in bytes. {@code grampus.memory.bytes} is the total with
 * the Java heap; HBase's fractions apply to it.
 */
record MemoryBudget(long total, long memstore, long blockCache) {
  private static final String TOTAL = "grampus.memory.bytes";
  private static final String MEMSTORE_FRACTION = "hbase.regionserver.global.memstore.size";
  private static final String CACHE_FRACTION = "hfile.block.cache.size";
  private static final float DEFAULT_FRACTION = 0.4f;

  static MemoryBudget from(Configuration conf) throws StartupException {
    long total = conf.getLongBytes(TOTAL, physical() / 2);
    float memstore = fraction(conf, MEMSTORE_FRACTION);
    float cache = fraction(conf, CACHE_FRACTION);
    if (memstore + cache > 0.8f) {
      throw new StartupException(
          MEMSTORE_FRACTION
              + " and "
              + CACHE_FRACTION
              + " add up to "
              + (memstore + cache)
              + "; at most 0.8 of memory may be given to them");
    }
    // The heap comes out of the total first: what the fractions share is what the JVM cannot take.
    long shared = Math.max(total - Runtime.getRuntime().maxMemory(), total / 2);
    return new MemoryBudget(
        total, (long) (shared * (double) memstore), (long) (shared * (double) cache));
  }

  private static float fraction(Configuration conf, String key) throws StartupException {
    float fraction = conf.getFloat(key, DEFAULT_FRACTION);
    if (!(fraction >= 0 && fraction <= 0.8f)) {
      throw new StartupException(key + " is " + fraction + "; give a fraction between 0 and 0.8");
    }
    return fraction;
  }

  private static long physical() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getTotalMemorySize();
  }
}

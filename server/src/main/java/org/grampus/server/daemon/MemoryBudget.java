package org.grampus.server.daemon;

import org.apache.hadoop.conf.Configuration;
import org.grampus.server.memory.MemoryLimits;

/**
 * How the server's memory is shared out, in bytes. {@code grampus.memory.bytes} is the total: what
 * the JVM takes and the engine's buffers come out of it first. HBase's fractions share what is
 * left: 0.8, the largest sum they may have, gives all of it. The block cache lends what clients
 * take; what it cannot lend comes out first as well.
 */
record MemoryBudget(MemoryLimits limits, long memstore, long blockCache) {
  private static final String MEMSTORE_FRACTION = "hbase.regionserver.global.memstore.size";
  private static final String CACHE_FRACTION = "hfile.block.cache.size";
  private static final float DEFAULT_FRACTION = 0.4f;

  /** What a JVM has beside heap and direct buffers: classes, code, threads, the collector's own. */
  private static final long JVM_BYTES = 192L << 20;

  /** Of the total for buffers of flushes, compactions and the allocator. */
  private static final int ENGINE_PART = 16;

  /**
   * HBase keeps a fifth of its memory out of the two fractions, for what is counted apart here.
   * Compared as float, as Hadoop reads the keys.
   */
  private static final double FRACTIONS_MAX = 0.8;

  /**
   * The block cache lends this part of its memory at most. A quarter is for the files that are
   * open, and its pages keep a quarter ({@code FLOOR_SHARE} in the engine's cache/room.rs).
   */
  private static final double LENT_PART = 0.5;

  /** The fractions apply to at least the total divided by this. */
  private static final int LEAST_SHARED_PART = 3;

  static MemoryBudget from(Configuration conf) throws StartupException {
    MemoryLimits limits = MemoryLimits.from(conf);
    long total = limits.total();
    float memstore = fraction(conf, MEMSTORE_FRACTION);
    float cache = fraction(conf, CACHE_FRACTION);
    if (memstore + cache > (float) FRACTIONS_MAX) {
      throw new StartupException(
          MEMSTORE_FRACTION
              + " and "
              + CACHE_FRACTION
              + " add up to "
              + (memstore + cache)
              + "; at most 0.8 of memory may be given to them");
    }
    long left = total - Runtime.getRuntime().maxMemory() - JVM_BYTES - total / ENGINE_PART;
    double lentPart = LENT_PART * cache / FRACTIONS_MAX; // of what is left
    long clients = limits.direct() + limits.scanners();
    if (clients > lentPart * left) {
      // What the cache cannot lend is set apart, which makes the cache smaller as well:
      // shared = left - (clients - lentPart * shared), solved for shared.
      left = (long) ((left - clients) / (1 - lentPart));
    }
    long shared = Math.max((long) (left / FRACTIONS_MAX), total / LEAST_SHARED_PART);
    return new MemoryBudget(
        limits, (long) (shared * (double) memstore), (long) (shared * (double) cache));
  }

  private static float fraction(Configuration conf, String key) throws StartupException {
    float fraction = conf.getFloat(key, DEFAULT_FRACTION);
    if (!(fraction >= 0 && fraction <= (float) FRACTIONS_MAX)) {
      throw new StartupException(key + " is " + fraction + "; give a fraction between 0 and 0.8");
    }
    return fraction;
  }

  /** The server's total. */
  long total() {
    return limits.total();
  }
}

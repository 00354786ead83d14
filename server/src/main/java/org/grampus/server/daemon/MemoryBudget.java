package org.grampus.server.daemon;

import org.apache.hadoop.conf.Configuration;
import org.grampus.server.memory.MemoryLimits;

/**
 * How the server's memory is shared out, in bytes. {@code grampus.memory.bytes} is the total: what
 * the JVM takes and the engine's buffers come out of it first. HBase's fractions apply to what is
 * left, of which 0.8, their largest sum, is all. The block cache pays for what scanners keep and
 * for reads of large cells, since these are pages like its own.
 */
record MemoryBudget(MemoryLimits limits, long memstore, long blockCache) {
  private static final String MEMSTORE_FRACTION = "hbase.regionserver.global.memstore.size";
  private static final String CACHE_FRACTION = "hfile.block.cache.size";
  private static final float DEFAULT_FRACTION = 0.4f;

  /** What a JVM has beside heap and direct buffers: classes, code, threads, the collector's own. */
  private static final long JVM_BYTES = 192L << 20;

  /**
   * Buffers of flushes, compactions and logs: what they take under load, not the sum of their
   * bounds, which are reached one at a time (docs/architecture.md).
   */
  private static final long BUFFER_BYTES = 96L << 20;

  /** Of the total for what the allocator cannot use. */
  private static final int ALLOCATOR_PART = 64;

  /** HBase keeps a fifth of its memory out of the two fractions, for what is counted apart here. */
  private static final float FRACTIONS_MAX = 0.8f;

  /** The fractions apply to at least the total divided by this. */
  private static final int LEAST_SHARED_PART = 3;

  /**
   * The block cache keeps at least its fraction divided by this, whatever scanners and large cells
   * take.
   */
  private static final int LEAST_CACHED_PART = 2;

  static MemoryBudget from(Configuration conf) throws StartupException {
    MemoryLimits limits = MemoryLimits.from(conf);
    long total = limits.total();
    float memstore = fraction(conf, MEMSTORE_FRACTION);
    float cache = fraction(conf, CACHE_FRACTION);
    if (memstore + cache > FRACTIONS_MAX) {
      throw new StartupException(
          MEMSTORE_FRACTION
              + " and "
              + CACHE_FRACTION
              + " add up to "
              + (memstore + cache)
              + "; at most 0.8 of memory may be given to them");
    }
    long jvm = Runtime.getRuntime().maxMemory() + JVM_BYTES + limits.direct();
    long engine = BUFFER_BYTES + total / ALLOCATOR_PART;
    long shared = Math.max((total - jvm - engine) / 4 * 5, total / LEAST_SHARED_PART);
    long pages = (long) (shared * (double) cache);
    return new MemoryBudget(
        limits,
        (long) (shared * (double) memstore),
        Math.max(pages - limits.scanners() - limits.largeReads(), pages / LEAST_CACHED_PART));
  }

  private static float fraction(Configuration conf, String key) throws StartupException {
    float fraction = conf.getFloat(key, DEFAULT_FRACTION);
    if (!(fraction >= 0 && fraction <= FRACTIONS_MAX)) {
      throw new StartupException(key + " is " + fraction + "; give a fraction between 0 and 0.8");
    }
    return fraction;
  }

  /** The server's total. */
  long total() {
    return limits.total();
  }
}

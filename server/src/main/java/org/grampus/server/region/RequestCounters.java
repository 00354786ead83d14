package org.grampus.server.region;

import java.util.concurrent.atomic.LongAdder;

/** Requests that one region has answered, counted in rows as HBase does. Any thread. */
public final class RequestCounters {
  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder filteredReads = new LongAdder();

  private volatile RequestCounters total;

  /** Whatever is counted here from now on is counted there, too. */
  void countInto(RequestCounters server) {
    total = server;
  }

  /** Counts rows that were read. */
  public void read(long rows) {
    reads.add(rows);
    if (total != null) {
      total.read(rows);
    }
  }

  /** Counts mutations. */
  public void write(long mutations) {
    writes.add(mutations);
    if (total != null) {
      total.write(mutations);
    }
  }

  /** Counts rows that a filter dropped. */
  public void filtered(long rows) {
    filteredReads.add(rows);
    if (total != null) {
      total.filtered(rows);
    }
  }

  /** Rows read so far. */
  public long reads() {
    return reads.sum();
  }

  /** Mutations so far. */
  public long writes() {
    return writes.sum();
  }

  /** Rows dropped by filters so far. */
  public long filteredReads() {
    return filteredReads.sum();
  }
}

package org.grampus.server.region;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests that one region has answered: rows and mutations, and operations by their kind, as HBase
 * counts them. What a call counts lies side by side, since the work between two calls takes it out
 * of the processor's caches. Any thread.
 */
public final class RequestCounters {
  /** What HBase counts of a region by kind; a batch counts once for each kind that it has. */
  public enum Kind {
    GET(0),
    SCAN(1),
    PUT(2),
    DELETE(3),
    INCREMENT(4),
    APPEND(5),
    /** A condition that held. */
    CHECK_PASSED(6),
    /** A condition that did not hold. */
    CHECK_FAILED(7);

    private final int counter;

    Kind(int counter) {
      this.counter = counter;
    }
  }

  /** Behind those of the kinds. */
  private static final int READS = 8;

  private static final int WRITES = 9;
  private static final int FILTERED_READS = 10;

  /** Counters of a stripe, some of them unused: two lines of a cache. */
  private static final int STRIPE = 16;

  private static final int STRIPES_MAX = 16;

  /** A power of 2. Threads whose numbers follow on each other count in stripes of their own. */
  private static final int STRIPES =
      Math.min(STRIPES_MAX, Integer.highestOneBit(Runtime.getRuntime().availableProcessors()));

  private final AtomicLongArray counts = new AtomicLongArray(STRIPES * STRIPE);

  private volatile RequestCounters total;

  /** Whatever is counted here from now on is counted there, too. */
  void countInto(RequestCounters server) {
    total = server;
  }

  /** Counts reads: gets, results of scans, and what an operation reads before it changes it. */
  public void read(long rows) {
    add(READS, rows);
  }

  /** Counts mutations. */
  public void write(long mutations) {
    add(WRITES, mutations);
  }

  /** Counts rows that a filter dropped. */
  public void filtered(long rows) {
    add(FILTERED_READS, rows);
  }

  /** Counts an operation. */
  public void count(Kind kind) {
    count(kind, 1);
  }

  /** Counts operations of one kind. */
  public void count(Kind kind, long operations) {
    add(kind.counter, operations);
  }

  private void add(int counter, long more) {
    if (more == 0) {
      return;
    }
    int stripe = (int) Thread.currentThread().getId() & (STRIPES - 1);
    counts.getAndAdd(stripe * STRIPE + counter, more);
    RequestCounters server = total;
    if (server != null) {
      server.add(counter, more);
    }
  }

  private long sum(int counter) {
    long sum = 0;
    for (int stripe = 0; stripe < STRIPES; stripe++) {
      sum += counts.get(stripe * STRIPE + counter);
    }
    return sum;
  }

  /** Operations of a kind so far. */
  public long counted(Kind kind) {
    return sum(kind.counter);
  }

  /** Rows read so far. */
  public long reads() {
    return sum(READS);
  }

  /** Mutations so far. */
  public long writes() {
    return sum(WRITES);
  }

  /** Rows dropped by filters so far. */
  public long filteredReads() {
    return sum(FILTERED_READS);
  }
}

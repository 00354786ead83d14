package org.grampus.server.region;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests that one region has answered: rows and mutations, and operations by their kind, as HBase
 * counts them. What one call counts is close together, since the work between two calls takes it
 * out of the processor's caches. A region that has answered nothing takes no memory. Any thread.
 */
public final class RequestCounters {
  /** What HBase counts of a region by kind; a batch counts once for each kind that it has. */
  public enum Kind {
    GET(3),
    SCAN(0),
    PUT(4),
    DELETE(8),
    INCREMENT(9),
    APPEND(10),
    /** A condition that held. */
    CHECK_PASSED(6),
    /** A condition that did not hold. */
    CHECK_FAILED(7);

    private final int counter;

    Kind(int counter) {
      this.counter = counter;
    }
  }

  private static final int FILTERED_READS = 1;
  private static final int READS = 2;
  private static final int WRITES = 5;

  /** Counters of a stripe, some of them unused: 128 bytes. */
  private static final int STRIPE = 16;

  private static final int STRIPES_MAX = 32;

  /** A power of 2, for all processors. Threads whose numbers follow on each other share none. */
  private static final int STRIPES =
      Math.min(
          STRIPES_MAX, Integer.highestOneBit(2 * Runtime.getRuntime().availableProcessors() - 1));

  /** Null before the first count. */
  private volatile AtomicLongArray counts;

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
    counts().getAndAdd(stripe * STRIPE + counter, more);
    RequestCounters server = total;
    if (server != null) {
      server.add(counter, more);
    }
  }

  private AtomicLongArray counts() {
    AtomicLongArray made = counts;
    return made != null ? made : makeCounts();
  }

  private synchronized AtomicLongArray makeCounts() {
    if (counts == null) {
      counts = new AtomicLongArray(STRIPES * STRIPE);
    }
    return counts;
  }

  private long sum(int counter) {
    AtomicLongArray made = counts;
    long sum = 0;
    for (int stripe = 0; made != null && stripe < STRIPES; stripe++) {
      sum += made.get(stripe * STRIPE + counter);
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

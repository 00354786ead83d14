package org.grampus.server.region;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Requests that one region has answered: rows and mutations, and operations by their kind, as HBase
 * counts them. Any thread.
 */
public final class RequestCounters {
  /** What HBase counts of a region by kind; a batch counts once for each kind that it has. */
  public enum Kind {
    GET,
    SCAN,
    PUT,
    DELETE,
    INCREMENT,
    APPEND,
    /** A condition that held. */
    CHECK_PASSED,
    /** A condition that did not hold. */
    CHECK_FAILED
  }

  private final LongAdder reads = new LongAdder();
  private final LongAdder writes = new LongAdder();
  private final LongAdder filteredReads = new LongAdder();
  private final Map<Kind, LongAdder> kinds = new EnumMap<>(Kind.class);

  private volatile RequestCounters total;

  /** Counters at 0. */
  public RequestCounters() {
    for (Kind kind : Kind.values()) {
      kinds.put(kind, new LongAdder());
    }
  }

  /** Whatever is counted here from now on is counted there, too. */
  void countInto(RequestCounters server) {
    total = server;
  }

  /** Counts reads: gets, results of scans, and what an operation reads before it changes it. */
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

  /** Counts an operation. */
  public void count(Kind kind) {
    count(kind, 1);
  }

  /** Counts operations of one kind. */
  public void count(Kind kind, long operations) {
    kinds.get(kind).add(operations);
    if (total != null) {
      total.count(kind, operations);
    }
  }

  /** Operations of a kind so far. */
  public long counted(Kind kind) {
    return kinds.get(kind).sum();
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

package org.grampus.server.service;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.grampus.server.env.Env;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters;
import org.grampus.server.region.RequestCounters.Kind;

/** Which kinds of mutations one batch on a region has. One thread at a time. */
final class MutationKinds {
  /**
   * Increments and appends of one batch have one latency, which a histogram takes only one by one:
   * on an event loop, where others wait meanwhile.
   */
  static final int LATENCIES_MAX = 1000;

  private final OnlineRegion region;
  private final long startNanos;
  private int puts;
  private int deletes;
  private int increments;
  private int appends;

  /**
   * No mutation yet.
   *
   * @param startNanos when the batch began
   */
  MutationKinds(OnlineRegion region, long startNanos) {
    this.region = region;
    this.startNanos = startNanos;
  }

  /** Adds a mutation. */
  void add(MutationType type) {
    switch (type) {
      case PUT -> puts++;
      case DELETE -> deletes++;
      case INCREMENT -> increments++;
      case APPEND -> appends++;
    }
  }

  /** The batch was run: counts it for its region, once for each kind, as HBase does. */
  void applied(int mutations) {
    RequestCounters counters = region.counters();
    counters.write(mutations);
    counters.read((long) increments + appends); // they read what they change
    counters.count(Kind.PUT, Math.min(puts, 1));
    counters.count(Kind.DELETE, Math.min(deletes, 1));
    counters.count(Kind.INCREMENT, increments);
    counters.count(Kind.APPEND, appends);
  }

  /** The batch is durable: its latency is that of each kind; deltas are operations of their own. */
  void ended(Operations operations) {
    long nanos = Env.nanos() - startNanos;
    ended(operations, Operation.PUT_BATCH, Math.min(puts, 1), nanos);
    ended(operations, Operation.DELETE_BATCH, Math.min(deletes, 1), nanos);
    ended(operations, Operation.INCREMENT, increments, nanos);
    ended(operations, Operation.APPEND, appends, nanos);
  }

  /** The batch, which had a condition, is durable. */
  void endedChecked(Operations operations) {
    operations.ended(Operation.CHECK_AND_MUTATE, region, Env.nanos() - startNanos);
  }

  private void ended(Operations operations, Operation operation, int times, long nanos) {
    for (int i = 0; i < Math.min(times, LATENCIES_MAX); i++) {
      operations.ended(operation, region, nanos);
    }
  }
}

package org.grampus.server.service;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RequestCounters;
import org.grampus.server.region.RequestCounters.Kind;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;

/** The reply to a Mutate, whose latency ends when its write is durable. */
final class MutateReply extends DurableReply {
  private final OnlineRegion region;
  private final Operations operations;

  MutateReply(Call call, OnlineRegion region, Operations operations) {
    super(call);
    this.region = region;
    this.operations = operations;
  }

  private MutateRequest request() {
    return (MutateRequest) call().param();
  }

  /**
   * The mutation was run: counts it for its region.
   *
   * @param matched whether its condition held; true without one
   */
  void applied(boolean matched) {
    RequestCounters counters = region.counters();
    if (request().hasCondition()) {
      counters.count(matched ? Kind.CHECK_PASSED : Kind.CHECK_FAILED);
      counters.read(1);
    }
    if (matched) { // HBase counts no write where a condition did not hold
      counters.write(1);
      counters.read(DeltaResults.has(request().getMutation()) ? 1 : 0); // it reads what it changes
      counters.count(kind(request().getMutation().getMutateType()));
    }
  }

  private static Kind kind(MutationType type) {
    return switch (type) {
      case PUT -> Kind.PUT;
      case DELETE -> Kind.DELETE;
      case INCREMENT -> Kind.INCREMENT;
      case APPEND -> Kind.APPEND;
    };
  }

  @Override
  protected void sent() {
    long nanos = call().ranNanos();
    MutationType type = request().getMutation().getMutateType();
    if (!request().hasCondition()) {
      operations.ended(plain(type), region, nanos);
      return;
    }
    operations.ended(Operation.CHECK_AND_MUTATE, region, nanos);
    if (type == MutationType.PUT) {
      operations.ended(Operation.CHECK_AND_PUT, region, nanos);
    } else if (type == MutationType.DELETE) {
      operations.ended(Operation.CHECK_AND_DELETE, region, nanos);
    }
  }

  private static Operation plain(MutationType type) {
    return switch (type) {
      case PUT -> Operation.PUT;
      case DELETE -> Operation.DELETE;
      case INCREMENT -> Operation.INCREMENT;
      case APPEND -> Operation.APPEND;
    };
  }
}

package org.grampus.server.slowlog;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.SlowLogParams;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.env.Env;
import org.grampus.server.rpc.Call;

/** A call as the slow log describes it. Stateless. */
final class SlowCall {
  /** Longer texts are cut: rows, filters and names come from clients. */
  private static final int TEXT_MAX = 4 << 10;

  /** Messages above this are not written out, which would take several times their size. */
  private static final int MESSAGE_MAX = 64 << 10;

  private SlowCall() {}

  /**
   * Describes a call that has ended.
   *
   * @param millis how long it was run
   */
  static SlowLogPayload describe(Call call, long millis, SlowLogPayload.Type type) {
    String method = call.method().name();
    long waited = TimeUnit.NANOSECONDS.toMillis(call.waitedNanos());
    SlowLogParams params = params(call.param());
    SlowLogPayload.Builder described =
        SlowLogPayload.newBuilder()
            .setType(type)
            .setStartTime(Env.millis() - millis)
            .setProcessingTime((int) millis)
            .setQueueTime((int) waited)
            .setResponseSize(call.replyBytes())
            .setBlockBytesScanned(call.scannedBytes())
            .setClientAddress(cut(call.connection().peer()))
            .setServerClass("HRegionServer") // tools know no other
            .setMethodName(method)
            .setCallDetails(method + "(" + call.param().getClass().getName() + ")")
            .setParam(cut(params.getParams()))
            .setRegionName(cut(params.getRegionName()))
            .setUserName(cut(call.connection().profile().effectiveUser()))
            .setMultiGets(0)
            .setMultiMutations(0)
            .setMultiServiceCalls(0);
    if (call.param() instanceof MultiRequest multi) {
      countActions(multi, described);
    }
    return described.build();
  }

  static SlowLogParams params(Message message) {
    return isWritten(message)
        ? ProtobufUtil.getSlowLogParams(message, false)
        : new SlowLogParams("", "a message of " + message.getSerializedSize() + " bytes");
  }

  /** Of a Multi only its first region's name is, which may be as long as a client likes. */
  private static boolean isWritten(Message message) {
    if (message instanceof MultiRequest multi) {
      return multi.getRegionActionCount() > 0
          && multi.getRegionAction(0).getRegion().getSerializedSize() <= TEXT_MAX;
    }
    return message.getSerializedSize() <= MESSAGE_MAX;
  }

  private static void countActions(MultiRequest multi, SlowLogPayload.Builder described) {
    int gets = 0;
    int mutations = 0;
    int services = 0;
    for (RegionAction region : multi.getRegionActionList()) {
      for (Action action : region.getActionList()) {
        gets += action.hasGet() ? 1 : 0;
        mutations += action.hasMutation() ? 1 : 0;
        services += action.hasServiceCall() ? 1 : 0;
      }
    }
    described.setMultiGets(gets).setMultiMutations(mutations).setMultiServiceCalls(services);
  }

  static String cut(String text) {
    if (text == null) {
      return "";
    }
    return text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX - 1) + "…";
  }
}

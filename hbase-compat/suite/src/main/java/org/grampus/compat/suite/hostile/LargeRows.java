package org.grampus.compat.suite.hostile;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Gets of a row of many megabytes and of a row of a million columns, with and without a codec. */
final class LargeRows implements Attack {
  private static final int CONNECTIONS = 8;

  @Override
  public String name() {
    return "large and wide rows";
  }

  @Override
  public void run(Victim victim) throws Exception {
    byte[][] regions = {victim.large(), victim.wide()};
    for (int round = 0; !victim.isOver(); round++) {
      GetRequest get =
          GetRequest.newBuilder()
              .setRegion(Victim.region(regions[round % 2]))
              .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(Tables.ROW)))
              .build();
      try (Connections connections = new Connections()) {
        int[] address = {0};
        connections.open(CONNECTIONS / 2, () -> victim.connect(1 + address[0]++ / 2));
        connections.open(CONNECTIONS / 2, () -> victim.connectWithoutCodec(1 + address[0]++ / 2));
        connections.each(wire -> wire.send("Get", get));
        connections.each(Wire::skipReply);
        victim.pause();
      }
    }
  }
}

package org.grampus.compat.suite.hostile;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/** Clients that ask for a row of many megabytes again and again and never read. */
final class SlowReaders implements Attack {
  private static final int CONNECTIONS = 20;
  private static final int CALLS = 4;

  @Override
  public String name() {
    return "slow readers";
  }

  @Override
  public void run(Victim victim) throws Exception {
    GetRequest get =
        GetRequest.newBuilder()
            .setRegion(Victim.region(victim.large()))
            .setGet(Get.newBuilder().setRow(ByteString.copyFromUtf8(Tables.ROW)))
            .build();
    try (Connections connections = new Connections()) {
      int[] address = {0};
      connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 10));
      for (int call = 0; call < CALLS && !victim.isOver(); call++) {
        connections.each(wire -> wire.send("Get", get));
        Thread.sleep(500);
      }
      while (!victim.isOver()) {
        Thread.sleep(50);
      }
    }
  }
}

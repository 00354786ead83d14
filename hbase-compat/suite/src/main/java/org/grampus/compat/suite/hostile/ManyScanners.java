package org.grampus.compat.suite.hostile;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;

/** A hundred thousand scanners that are opened and never asked again. */
final class ManyScanners implements Attack {
  private static final int SCANNERS = 100_000;
  private static final int CONNECTIONS = 4;
  private static final int PIPELINED = 50;

  @Override
  public String name() {
    return "100,000 scanners";
  }

  @Override
  public void run(Victim victim) throws Exception {
    ScanRequest scan =
        ScanRequest.newBuilder()
            .setRegion(Victim.region(victim.small()))
            .setScan(Scan.newBuilder())
            .setNumberOfRows(1)
            .build();
    try (Connections connections = new Connections()) {
      int[] address = {0};
      connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 2));
      for (int opened = 0; opened < SCANNERS && !victim.isOver(); ) {
        for (int i = 0; i < PIPELINED; i++) {
          connections.each(wire -> wire.send("Scan", scan));
        }
        for (int i = 0; i < PIPELINED; i++) {
          connections.each(Wire::skipReply);
        }
        opened += PIPELINED * CONNECTIONS;
        victim.pause();
      }
      while (!victim.isOver()) {
        Thread.sleep(50);
      }
    }
  }
}

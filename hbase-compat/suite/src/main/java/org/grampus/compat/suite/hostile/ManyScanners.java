package org.grampus.compat.suite.hostile;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;

/** A hundred thousand scanners that are opened and never asked again, whatever time that takes. */
final class ManyScanners implements Attack {
  private static final int SCANNERS = 100_000;
  private static final int CONNECTIONS = 4;
  private static final int PIPELINED = 50;

  /** A server that opens fewer in this time does not open them. */
  private static final long OPENING_SECONDS_MAX = 600;

  @Override
  public String name() {
    return "100,000 scanners";
  }

  @Override
  public long repliesMin() {
    return SCANNERS;
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
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(OPENING_SECONDS_MAX);
      for (int opened = 0; opened < SCANNERS && System.nanoTime() - end < 0; ) {
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

package org.grampus.compat.suite.hostile;

import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;

/** Scans whose cells come as messages, as many as one reply may have, over several connections. */
final class ScansWithoutCodec implements Attack {
  private static final int CONNECTIONS = 32;

  @Override
  public String name() {
    return "scans without codec";
  }

  @Override
  public void run(Victim victim) throws Exception {
    while (!victim.isOver()) {
      try (Connections connections = new Connections()) {
        int[] address = {0};
        connections.open(CONNECTIONS, () -> victim.connectWithoutCodec(1 + address[0]++ / 4));
        byte[][] regions = {victim.small(), victim.wide(), victim.large()};
        for (byte[] region : regions) {
          ScanRequest scan =
              ScanRequest.newBuilder()
                  .setRegion(Victim.region(region))
                  .setScan(Scan.newBuilder().setMaxResultSize(Long.MAX_VALUE))
                  .setNumberOfRows(Integer.MAX_VALUE)
                  .setCloseScanner(true)
                  .build();
          connections.each(wire -> wire.send("Scan", scan));
          connections.each(Wire::skipReply);
          victim.pause();
          if (victim.isOver()) {
            return;
          }
        }
      }
    }
  }
}

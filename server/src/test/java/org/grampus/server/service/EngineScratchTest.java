package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.Test;

class EngineScratchTest {
  private static final int LARGE_BYTES = 8 << 20;
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

  @Test
  void largeBuffersAreLetGo() {
    EngineScratch scratch = EngineScratch.get();
    long before = EngineScratch.heldBytes();
    scratch.spec().ensureWritable(LARGE_BYTES);
    scratch.result().ensureWritable(LARGE_BYTES);
    scratch.batch().cells().ensureWritable(LARGE_BYTES);
    assertTrue(EngineScratch.heldBytes() > before + 2L * LARGE_BYTES);
    scratch.shrink();
    assertTrue(EngineScratch.heldBytes() <= before + LARGE_BYTES / 2);
  }

  /** The thread that ran it has no other call. */
  @Test
  void aLargeWriteLeavesNothingWithItsThread() throws IOException {
    try (LocalCluster cluster = new LocalCluster(new Configuration(false))) {
      cluster.addRegion("", "");
      long before = EngineScratch.heldBytes();
      Put put = new Put(Bytes.toBytes("row"));
      put.addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), new byte[LARGE_BYTES]);
      MutateRequest request =
          MutateRequest.newBuilder()
              .setRegion(cluster.region(""))
              .setMutation(ProtobufUtil.toMutation(MutationType.PUT, put))
              .build();
      try (RawClient client = new RawClient(cluster.server().port(), "", "2.6.1")) {
        assertFalse(
            client
                .call("Mutate", request, new byte[0], MutateResponse.getDefaultInstance())
                .header()
                .hasException());
        awaitHeld(before + LARGE_BYTES / 2);
      }
    }
  }

  /** The reply leaves before the thread has ended its call. */
  private static void awaitHeld(long bytes) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (EngineScratch.heldBytes() > bytes && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    assertTrue(EngineScratch.heldBytes() <= bytes, () -> EngineScratch.heldBytes() + " bytes");
  }
}

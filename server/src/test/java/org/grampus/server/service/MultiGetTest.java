package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How often the engine reads the rows of a Multi: again where they found no room in the reply. */
class MultiGetTest {
  private static final int ROW_BYTES = 1000;
  private static final int ROWS = 1000;

  private final AtomicInteger reads = new AtomicInteger();
  private LocalCluster cluster;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    InjectedRegion engine = cluster.addRegion("", "");
    byte[] value = new byte[ROW_BYTES];
    for (int i = 0; i < ROWS; i++) {
      engine.load(new KeyValue(Bytes.toBytes(i), Bytes.toBytes("f"), Bytes.toBytes("q"), 1, value));
    }
    engine.beforeGet = reads::incrementAndGet;
  }

  @AfterEach
  void stop() throws IOException {
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  /** How often the engine was asked for rows; the reply has all of them. */
  private int readsOf(int rows) throws IOException {
    RegionAction.Builder gets = RegionAction.newBuilder().setRegion(cluster.region(""));
    for (int i = 0; i < rows; i++) {
      Get.Builder get = Get.newBuilder().setRow(ByteString.copyFrom(Bytes.toBytes(i)));
      gets.addAction(Action.newBuilder().setGet(get));
    }
    int before = reads.get();
    try (RawClient client =
        new RawClient(cluster.server().port(), KeyValueCodec.class.getName(), "2.6.1")) {
      RawClient.Reply<MultiResponse> reply =
          client.call(
              "Multi",
              MultiRequest.newBuilder().addRegionAction(gets).build(),
              new byte[0],
              MultiResponse.getDefaultInstance());
      assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
      assertEquals(rows, reply.message().getRegionActionResult(0).getResultOrExceptionCount());
      assertTrue(reply.cells().length > rows * ROW_BYTES);
    }
    return reads.get() - before;
  }

  @Test
  void tenRowsAreReadOnceEach() throws IOException {
    assertEquals(10, readsOf(10));
  }

  @Test
  void aGrowingReplyReadsFewRowsAgain() throws IOException {
    int more = readsOf(ROWS) - ROWS;
    assertTrue(more <= 6, () -> more + " rows are read again"); // 32 KiB, doubled up to 2 MiB
  }
}

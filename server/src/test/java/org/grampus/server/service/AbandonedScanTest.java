package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Scans that find nothing for long, of clients that take no heartbeats: such a call ends when a row
 * is found, or when the client has gone.
 */
class AbandonedScanTest {
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** Calls of the engine's scanner. */
  private final AtomicInteger calls = new AtomicInteger();

  private LocalCluster cluster;
  private InjectedRegion engine;
  private RawClient client;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    byte[] name = Bytes.toBytes("f");
    engine.load(new KeyValue(Bytes.toBytes("row"), name, name, 1, name));
    engine.beforeNext = calls::incrementAndGet;
    engine.scannersPause = true;
    client = new RawClient(cluster.server().port(), KeyValueCodec.class.getName(), "2.6.1");
  }

  @AfterEach
  void stop() throws IOException {
    engine.scannersPause = false;
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static void await(BooleanSupplier condition, String what) {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() - end < 0, what);
      Thread.onSpinWait();
    }
  }

  private ScanRequest scan() throws IOException {
    return ScanRequest.newBuilder()
        .setRegion(cluster.region(""))
        .setScan(ProtobufUtil.toScan(new Scan()))
        .setNumberOfRows(1)
        .build();
  }

  @Test
  void endsWhenTheClientHasGone() throws IOException {
    client.send("Scan", scan(), new byte[0]);
    await(() -> calls.get() > 1, "the scan pauses and goes on");
    client.close();
    await(() -> engine.openScanners.get() == 0, "a scan goes on for a client that has gone");
    assertEquals(0, cluster.scanners().openCount());
  }

  @Test
  void goesOnForAClientThatIsThere() throws IOException {
    engine.beforeNext =
        () -> {
          if (calls.incrementAndGet() > 3) {
            engine.scannersPause = false;
          }
        };
    RawClient.Reply<ScanResponse> reply =
        client.call("Scan", scan(), new byte[0], ScanResponse.getDefaultInstance());
    assertEquals(4, calls.get());
    assertEquals(1, reply.message().getCellsPerResult(0));
  }
}

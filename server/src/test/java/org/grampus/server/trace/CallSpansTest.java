package org.grampus.server.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.testkit.LocalCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Spans of a stock client's calls; client and server are in one process, and share a recorder. */
class CallSpansTest {
  private static final long WAIT_MAX_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String GET = "hbase.pb.ClientService/Get";
  private static final byte[] F = Bytes.toBytes("f");

  private final Configuration conf = HBaseConfiguration.create();
  private final RecordedSpans ofServer = new RecordedSpans();
  private final RecordedSpans ofClient = new RecordedSpans();
  private LocalCluster cluster;
  private Connection connection;

  @BeforeEach
  void open() throws IOException {
    GlobalOpenTelemetry.resetForTest();
    GlobalOpenTelemetry.set(ofClient);
    cluster = new LocalCluster(conf, List.of(new CallSpans(ofServer)), OperationObserver.NONE);
    cluster.addRegion("", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
    cluster.close();
    GlobalOpenTelemetry.resetForTest();
  }

  /** A call is told after its reply has left. */
  private static RecordedSpans.Recorded await(RecordedSpans spans, String name) {
    long start = System.nanoTime();
    while (true) {
      List<RecordedSpans.Recorded> found =
          spans.ended().stream().filter(span -> span.name().equals(name)).toList();
      if (!found.isEmpty()) {
        return found.get(0);
      }
      assertTrue(System.nanoTime() - start < WAIT_MAX_NANOS, () -> spans.ended().toString());
      Thread.onSpinWait();
    }
  }

  private RecordedSpans.Recorded process(RecordedSpans.Recorded run) {
    return ofServer.ended().stream()
        .filter(span -> span.context().equals(run.parent()))
        .findFirst()
        .orElseGet(() -> await(ofServer, "RpcServer.process"));
  }

  @Test
  void aCallIsASpanOfItsClientsTraceWithHBasesNames() throws IOException {
    try (Table table = connection.getTable(LocalCluster.TABLE)) {
      table.get(new Get(F));
    }
    RecordedSpans.Recorded run = await(ofServer, GET);
    assertEquals(SpanKind.SERVER, run.calls().get("setSpanKind"));
    assertEquals("HBASE_RPC", run.calls().get("rpc.system"));
    assertEquals("hbase.pb.ClientService", run.calls().get("rpc.service"));
    assertEquals("Get", run.calls().get("rpc.method"));
    assertEquals(StatusCode.OK, run.calls().get("setStatus"));
    RecordedSpans.Recorded client = await(ofClient, GET);
    assertEquals(client.context().getTraceId(), run.context().getTraceId());
    long start = System.nanoTime();
    while (ofServer.ended().stream().noneMatch(span -> isOf(span, run, client))) {
      assertTrue(System.nanoTime() - start < WAIT_MAX_NANOS, () -> ofServer.ended().toString());
    }
    RecordedSpans.Recorded process = process(run);
    assertTrue(process.nanos("setStartTimestamp") <= run.nanos("setStartTimestamp"));
    assertTrue(run.nanos("setStartTimestamp") <= run.nanos("end"));
    assertEquals(process.nanos("end"), run.nanos("end"));
  }

  /** The span between that of the client and that of the run. */
  private static boolean isOf(
      RecordedSpans.Recorded span, RecordedSpans.Recorded run, RecordedSpans.Recorded client) {
    return span.name().equals("RpcServer.process")
        && span.context().getSpanId().equals(run.parent().getSpanId())
        && span.parent().getSpanId().equals(client.context().getSpanId());
  }

  @Test
  void aCallThatFailsIsASpanWithTheException() throws IOException {
    try (Table table = connection.getTable(LocalCluster.TABLE)) {
      Get get = new Get(F).addFamily(Bytes.toBytes("none"));
      assertThrows(NoSuchColumnFamilyException.class, () -> table.get(get));
    }
    RecordedSpans.Recorded run = await(ofServer, GET);
    assertEquals(StatusCode.ERROR, run.calls().get("setStatus"));
    assertTrue(run.calls().get("recordException") instanceof NoSuchColumnFamilyException);
  }

  @Test
  void withoutAnyoneWhoTakesSpansThereIsNoObserver() {
    GlobalOpenTelemetry.resetForTest();
    assertEquals(List.of(), CallSpans.ofProcess());
  }
}

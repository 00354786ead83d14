package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The read point that a client is told with its scanner, over the native engine: a scanner that it
 * opens again at that point sees what the first one saw, and no more.
 */
class ScanReadPointTest {
  @TempDir private Path directory;
  private NativeEngine engine;
  private LocalRegion region;
  private LocalCluster cluster;
  private RawClient client;

  @BeforeEach
  void start() throws IOException {
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    region = LocalRegion.create(engine, directory);
    cluster = new LocalCluster(new Configuration(false));
    cluster.regions().add(region.online());
    client = new RawClient(cluster.server().port(), "", "2.6.1");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    region.online().engine().close(true);
    engine.close();
  }

  /** Opens a scanner at a read point, or with 0 at that of now. */
  private ScanResponse open(int rows, long readPoint) throws IOException {
    ClientProtos.Scan scan =
        ProtobufUtil.toScan(new Scan()).toBuilder().setMvccReadPoint(readPoint).build();
    return call(
        ScanRequest.newBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.REGION_NAME)
                    .setValue(region.online().name()))
            .setScan(scan)
            .setNumberOfRows(rows));
  }

  private ScanResponse call(ScanRequest.Builder request) throws IOException {
    RawClient.Reply<ScanResponse> reply =
        client.call("Scan", request.build(), new byte[0], ScanResponse.getDefaultInstance());
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  private static List<String> rows(ScanResponse reply) {
    return reply.getResultsList().stream().map(r -> r.getCell(0).getRow().toStringUtf8()).toList();
  }

  @Test
  void aScanOpenedWithoutRowsCanBeOpenedAgainAtItsPoint() throws IOException {
    region.put("a", "v");
    ScanResponse opened = open(0, 0);
    assertTrue(opened.getMvccReadPoint() > 0);
    assertTrue(opened.getMoreResults() && opened.getMoreResultsInRegion());
    region.put("b", "v");
    assertTrue(open(0, 0).getMvccReadPoint() > opened.getMvccReadPoint());
    ScanResponse first =
        call(ScanRequest.newBuilder().setScannerId(opened.getScannerId()).setNumberOfRows(10));
    assertEquals(List.of("a"), rows(first));
    assertEquals(List.of("a"), rows(open(10, opened.getMvccReadPoint())));
    assertEquals(List.of("a", "b"), rows(open(10, 0)));
  }
}

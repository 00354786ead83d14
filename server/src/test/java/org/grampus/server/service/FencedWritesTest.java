package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateResponse;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server whose regions may belong to another by now neither writes nor acknowledges. */
class FencedWritesTest {
  private static final byte[] ROW = Bytes.toBytes("r");

  private LocalCluster cluster;
  private InjectedRegion region;
  private byte[] name;
  private RawClient client;

  @BeforeEach
  void open() throws IOException {
    cluster = new LocalCluster(new Configuration(false));
    region = cluster.addRegion("", "");
    name =
        cluster.regions().all().stream()
            .filter(r -> !r.isSystem())
            .findFirst()
            .orElseThrow()
            .info()
            .getRegionName();
    client = new RawClient(cluster.server().port(), "", "2.6");
  }

  @AfterEach
  void close() throws IOException {
    client.close();
    cluster.close();
  }

  private RawClient.Reply<MutateResponse> put() throws IOException {
    Put put = new Put(ROW).addColumn(Bytes.toBytes("f"), Bytes.toBytes("q"), ROW);
    return client.call(
        "Mutate",
        RequestConverter.buildMutateRequest(name, put),
        new byte[0],
        MutateResponse.getDefaultInstance());
  }

  private static void assertRefused(RawClient.Reply<?> reply) {
    assertEquals(
        NotServingRegionException.class.getName(),
        reply.header().getException().getExceptionClassName());
  }

  @Test
  void writesAreRefusedAndReadsGoOn() throws IOException {
    assertFalse(put().header().hasException());
    int before = region.batches.get();
    cluster.mayWrite = false;
    assertRefused(put());
    assertEquals(before, region.batches.get(), "nothing was written");
    assertFalse(
        client
            .call(
                "Get",
                RequestConverter.buildGetRequest(name, new Get(ROW)),
                new byte[0],
                GetResponse.getDefaultInstance())
            .header()
            .hasException());
    cluster.mayWrite = true;
    assertFalse(put().header().hasException());
  }

  @Test
  void aWriteFromBeforeThePauseIsNotAcknowledgedAfterIt() throws Exception {
    region.completesItself = false;
    int before = region.batches.get();
    CompletableFuture<RawClient.Reply<MutateResponse>> reply =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return put();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (region.batches.get() == before) {
      assertTrue(System.nanoTime() - end < 0, "nothing was written for 20 s");
      Thread.sleep(1);
    }
    cluster.mayWrite = false;
    cluster.completions().complete(region.lastToken, 0);
    assertRefused(reply.get(30, TimeUnit.SECONDS));
    assertTrue(region.batches.get() > before, "it was written");
  }
}

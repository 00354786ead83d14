package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What replies to clients without a cell codec hold, whose cells are messages on the heap. */
class MessageLimitTest {
  private static final String KEY_VALUE_CODEC = KeyValueCodec.class.getName();
  private static final String NO_CODEC = "";
  private static final String REFUSED = CallQueueTooBigException.class.getName();
  private static final String TOO_LARGE = MultiActionResultTooLarge.class.getName();
  private static final int ROWS = 12;

  /** Rows of one reply: with the last of them its cells exceed the limit. */
  private static final int ROWS_PER_REPLY = 8;

  private static final byte[] VALUE = new byte[Results.MAX_MESSAGE_BYTES / ROWS_PER_REPLY];

  private final MemoryPeer others = new MemoryPeers(1).enter(null);
  private LocalCluster cluster;
  private InjectedRegion engine;
  private RegionSpecifier region;
  private RawClient client;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    engine = cluster.addRegion("", "");
    for (int i = 0; i < ROWS; i++) {
      engine.load(new KeyValue(row(i), Bytes.toBytes("f"), Bytes.toBytes("q"), 1, VALUE));
    }
    region = cluster.region("");
  }

  @AfterEach
  void stop() throws IOException {
    client.close();
    cluster.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static byte[] row(int i) {
    return Bytes.toBytes(String.format("row%02d", i));
  }

  private void connect(String codec) throws IOException {
    client = new RawClient(cluster.server().port(), codec, "2.6.1");
  }

  private <M extends Message> RawClient.Reply<M> call(String method, Message param, M prototype)
      throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply;
  }

  private RawClient.Reply<ScanResponse> scan(ScanRequest.Builder request) throws IOException {
    ScanRequest all =
        request
            .setNumberOfRows(Integer.MAX_VALUE)
            .setClientHandlesPartials(true)
            .setClientHandlesHeartbeats(true)
            .build();
    return call("Scan", all, ScanResponse.getDefaultInstance());
  }

  private RawClient.Reply<ScanResponse> open() throws IOException {
    Scan scan = new Scan().setMaxResultSize(100 << 20);
    return scan(ScanRequest.newBuilder().setRegion(region).setScan(ProtobufUtil.toScan(scan)));
  }

  private MultiResponse gets() throws IOException {
    RegionAction.Builder gets = RegionAction.newBuilder().setRegion(region);
    for (int i = 0; i < ROWS; i++) {
      gets.addAction(
          Action.newBuilder()
              .setIndex(i)
              .setGet(Get.newBuilder().setRow(ByteString.copyFrom(row(i)))));
    }
    MultiRequest request = MultiRequest.newBuilder().addRegionAction(gets).build();
    RawClient.Reply<MultiResponse> reply =
        call("Multi", request, MultiResponse.getDefaultInstance());
    assertEquals(0, reply.cells().length, "the client cannot read a cell block");
    return reply.message();
  }

  @Test
  void aScanGoesOnInItsNextReply() throws IOException {
    connect(NO_CODEC);
    ScanResponse first = open().message();
    assertEquals(ROWS_PER_REPLY, first.getResultsCount());
    assertTrue(first.getMoreResultsInRegion());
    ScanResponse rest = scan(ScanRequest.newBuilder().setScannerId(first.getScannerId())).message();
    assertEquals(ROWS - ROWS_PER_REPLY, rest.getResultsCount());
    assertEquals(
        ByteString.copyFrom(row(ROWS_PER_REPLY)),
        rest.getResults(0).getCell(0).getRow(),
        "none is lost");
  }

  @Test
  void aScanOfAClientWithACodecHasTheLimitOfAll() throws IOException {
    connect(KEY_VALUE_CODEC);
    assertEquals(ROWS, open().message().getCellsPerResultCount());
  }

  @Test
  void theGetsBeyondTheLimitAreForTheNextMulti() throws IOException {
    connect(NO_CODEC);
    List<ResultOrException> results = gets().getRegionActionResult(0).getResultOrExceptionList();
    assertEquals(ROWS, results.size());
    for (int i = 0; i < ROWS; i++) {
      String refusal = i < ROWS_PER_REPLY ? "" : TOO_LARGE;
      assertEquals(refusal, results.get(i).getException().getName());
      assertEquals(i < ROWS_PER_REPLY ? 1 : 0, results.get(i).getResult().getCellCount());
    }
  }

  @Test
  void aGetWhoseCellsFindNoRoomOnTheHeapLeavesNoneInTheReply() throws IOException {
    connect(NO_CODEC);
    MemoryAccount account = cluster.server().dispatcher().account();
    long all = account.pool(MemoryUse.RESULTS).limit();
    engine.beforeGet =
        () -> {
          engine.beforeGet = () -> {};
          account.force(MemoryUse.RESULTS, others, all);
        };
    MultiResponse reply = gets();
    account.release(MemoryUse.RESULTS, others, all);
    for (ResultOrException result : reply.getRegionActionResult(0).getResultOrExceptionList()) {
      String refusal = result.getIndex() < ROWS_PER_REPLY ? REFUSED : TOO_LARGE;
      assertEquals(refusal, result.getException().getName());
    }
  }
}

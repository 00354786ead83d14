package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.codec.KeyValueCodec;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineException;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.testkit.DelegatingRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Scans of rows larger than what is reserved, over the native engine: the memory of a row is
 * reserved before it is read, but for what the engine reads beyond its output.
 */
class LargeRowScanTest {
  private static final int MB = 1 << 20;
  private static final int CELLS = 110;

  /** 1 MiB read beyond the buffer, 1 MiB asked for on top, and one cell of 1 MiB. */
  private static final int BEYOND = 3 * MB + 1000;

  @TempDir private Path directory;
  private final MemoryPeer others = new MemoryPeers(1).enter(null);
  private final List<Integer> rooms = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> needs = Collections.synchronizedList(new ArrayList<>());
  private long buffersBefore;
  private NativeEngine engine;
  private LocalRegion region;
  private LocalCluster cluster;
  private MemoryAccount account;
  private int callsUntilBusy = Integer.MAX_VALUE;
  private RawClient client;

  /** Notes what each call of the engine's scanner has and needs. */
  private final class WatchedScanner implements EngineScanner {
    private final EngineScanner scanner;

    WatchedScanner(EngineScanner scanner) {
      this.scanner = scanner;
    }

    @Override
    public long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
      if (rooms.size() == callsUntilBusy) {
        throw new EngineException(ErrorKind.BUSY, "others read large cells");
      }
      long result = scanner.next(limits, out, info);
      rooms.add(out.remaining());
      needs.add(info.neededBytes());
      return result;
    }

    @Override
    public long memoryBytes() {
      return scanner.memoryBytes();
    }

    @Override
    public void dropPages() {
      scanner.dropPages();
    }

    @Override
    public void close() {
      scanner.close();
    }
  }

  private EngineRegion watched(EngineRegion inner) {
    return new DelegatingRegion(inner) {
      @Override
      public EngineScanner openScanner(ByteBuffer spec) {
        return isNonBlocking(spec) ? null : new WatchedScanner(inner.openScanner(spec));
      }
    };
  }

  @BeforeEach
  void load() {
    buffersBefore = PooledMemory.buffersInUse();
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    region = LocalRegion.create(engine, directory);
    byte[] value = new byte[MB];
    for (int q = 0; q < CELLS; q++) {
      region.put("large", String.format("q%03d", q), value);
    }
    region.put("a small one", "v");
  }

  /** Serves the region, in place of the last cluster that did; nothing is noted yet. */
  private void serve(int directMegabytes, String codec) throws IOException {
    stopServing();
    Configuration conf = new Configuration(false);
    conf.setInt("grampus.memory.direct.bytes", directMegabytes * MB);
    cluster = new LocalCluster(conf);
    account = cluster.server().dispatcher().account();
    OnlineRegion online = region.online();
    cluster
        .regions()
        .add(new OnlineRegion(online.info(), online.table(), watched(online.engine()), 1));
    client = new RawClient(cluster.server().port(), codec, "2.6.1");
  }

  private void stopServing() throws IOException {
    if (cluster == null) {
      return;
    }
    client.close();
    cluster.close();
    for (MemoryUse use : MemoryUse.values()) {
      assertEquals(0, account.used(use), use.name());
    }
    rooms.clear();
    needs.clear();
  }

  @AfterEach
  void stop() throws IOException {
    stopServing();
    region.online().engine().close(true);
    engine.close();
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  /** Opens a scan of whole rows and reads from it. */
  private RawClient.Reply<ScanResponse> scan() throws IOException {
    byte[] name = region.online().info().getRegionName();
    return call(
        ScanRequest.newBuilder()
            .setRegion(
                RegionSpecifier.newBuilder()
                    .setType(RegionSpecifierType.REGION_NAME)
                    .setValue(ByteString.copyFrom(name)))
            .setScan(ProtobufUtil.toScan(new Scan())));
  }

  private RawClient.Reply<ScanResponse> call(ScanRequest.Builder request) throws IOException {
    return client.call(
        "Scan",
        request.setNumberOfRows(10).setClientHandlesPartials(false).build(),
        new byte[0],
        ScanResponse.getDefaultInstance());
  }

  private void assertReservedBeforeItIsRead() {
    assertFalse(needs.isEmpty(), "the engine was asked");
    for (int i = 0; i < needs.size(); i++) {
      // a call with less room than the row has so far changes nothing
      long before = i > 0 && rooms.get(i) < needs.get(i - 1) ? needs.get(i - 1) : 0;
      long most = Math.max(rooms.get(i) + BEYOND, before);
      assertTrue(needs.get(i) <= most, needs + " after " + rooms);
    }
    assertTrue(needs.size() < 40, () -> "a bounded number of calls: " + rooms);
  }

  @Test
  void aRowThatFitsIsReadInStepsForWhichThereIsMemory() throws IOException {
    serve(256, KeyValueCodec.class.getName());
    RawClient.Reply<ScanResponse> reply = scan();
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    assertEquals(List.of(1, CELLS), reply.message().getCellsPerResultList());
    assertFalse(reply.message().getPartialFlagPerResult(1));
    assertTrue(reply.cells().length > CELLS * MB);
    assertReservedBeforeItIsRead();
  }

  @Test
  void aRowThatCanNeverFitIsRefusedBeforeItIsRead() throws IOException {
    for (String codec : List.of(KeyValueCodec.class.getName(), "")) {
      serve(64, codec);
      RawClient.Reply<ScanResponse> reply = scan();
      assertTrue(reply.header().hasException(), () -> reply.message().toString());
      assertEquals(
          RowTooBigException.class.getName(),
          reply.header().getException().getExceptionClassName(),
          reply.header().getException()::getStackTrace);
      assertReservedBeforeItIsRead();
      long most = account.pool(MemoryPool.Kind.DIRECT).largest();
      assertTrue(needs.stream().allMatch(need -> need <= most + BEYOND), needs::toString);
      assertEquals(0, cluster.scanners().openCount());
    }
  }

  @Test
  void whatTheEngineKeepsBetweenCallsIsReserved() throws IOException {
    serve(256, KeyValueCodec.class.getName());
    long taken = fillRepliesBut(4 * MB);
    RawClient.Reply<ScanResponse> first = scan();
    assertFalse(first.header().hasException(), () -> first.header().getException().toString());
    assertEquals(List.of(1), first.message().getCellsPerResultList());
    assertTrue(account.used(MemoryUse.SCANNERS) > MB, "the beginning of the second row");
    account.release(MemoryUse.REPLIES, others, taken);
    RawClient.Reply<ScanResponse> second =
        call(
            ScanRequest.newBuilder()
                .setScannerId(first.message().getScannerId())
                .setNextCallSeq(0));
    assertFalse(second.header().hasException(), () -> second.header().getException().toString());
    assertEquals(List.of(CELLS), second.message().getCellsPerResultList());
    assertTrue(account.used(MemoryUse.SCANNERS) < MB);
    assertReservedBeforeItIsRead();
  }

  @Test
  void aScanWhoseNextRowMayNotWaitAnswersAndMustBeginAgain() throws IOException {
    serve(256, KeyValueCodec.class.getName());
    long replies = fillRepliesBut(4 * MB);
    long scanners = account.pool(MemoryUse.SCANNERS).limit() / 16 * 12;
    account.force(MemoryUse.SCANNERS, others, scanners);
    RawClient.Reply<ScanResponse> reply = scan();
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    assertEquals(List.of(1), reply.message().getCellsPerResultList());
    assertEquals(0, cluster.scanners().openCount());
    RawClient.Reply<ScanResponse> next =
        call(
            ScanRequest.newBuilder()
                .setScannerId(reply.message().getScannerId())
                .setNextCallSeq(0));
    assertEquals(
        UnknownScannerException.class.getName(),
        next.header().getException().getExceptionClassName());
    account.release(MemoryUse.SCANNERS, others, scanners);
    account.release(MemoryUse.REPLIES, others, replies);
  }

  @Test
  void resultsThatPrecedeALargeRowAreReturnedWhenItCannotBeReadNow() throws IOException {
    serve(256, KeyValueCodec.class.getName());
    callsUntilBusy = 1;
    RawClient.Reply<ScanResponse> reply = scan();
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    assertEquals(List.of(1), reply.message().getCellsPerResultList());
    assertTrue(reply.message().getMoreResultsInRegion());
    assertEquals(0, cluster.scanners().openCount(), "it cannot go on");
  }

  /** Leaves {@code bytes} of what medium and large replies may have; returns what was taken. */
  private long fillRepliesBut(long bytes) {
    long taken = account.pool(MemoryUse.REPLIES).limit() / 16 * 12 - bytes;
    assertTrue(taken > 0 && Rank.of(taken) == Rank.LARGE);
    account.force(MemoryUse.REPLIES, others, taken);
    return taken;
  }
}

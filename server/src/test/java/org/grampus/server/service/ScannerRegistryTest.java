package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPeers;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases by a clock that the test moves; the registry's own thread sees no time pass. */
class ScannerRegistryTest {
  private static final int LEASE_MILLIS = 60_000;
  private static final int MAX_SCANNERS = 100_000;
  private static final int MAX_BYTES = 16 << 20;
  private static final int LEAST_BYTES = 1_000;

  private final MemoryAccount account = new MemoryAccount(1, 1, MAX_BYTES);
  private final MemoryPeer peer = new MemoryPeers(1).enter(null);

  private final AtomicLong clock = new AtomicLong();
  private final AtomicInteger closed = new AtomicInteger();
  private final ServerName self = ServerName.valueOf("host", 1, 2);
  private final RegionRegistry regions = new RegionRegistry(() -> self);
  private final OnlineRegion region =
      new OnlineRegion(
          RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build(),
          TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build(),
          null,
          1);
  private ScannerRegistry scanners;
  private long pageBytes;
  private Runnable whileClosing = () -> {};

  private final class CountingScanner implements EngineScanner {
    @Override
    public long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
      throw new UnsupportedOperationException();
    }

    @Override
    public long memoryBytes() {
      return pageBytes;
    }

    @Override
    public void dropPages() {
      pageBytes = LEAST_BYTES;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
      whileClosing.run();
    }
  }

  @BeforeEach
  void open() {
    regions.add(region);
    scanners =
        new ScannerRegistry(
            self,
            regions,
            new ClientServiceConfig(LEASE_MILLIS, 1, 1, MAX_SCANNERS),
            account,
            clock::get);
  }

  @AfterEach
  void close() {
    scanners.close();
  }

  private OpenScanner add() throws IOException {
    return add(region, peer);
  }

  private OpenScanner add(OnlineRegion of, MemoryPeer by) throws IOException {
    return scanners.add(of, new CountingScanner(), Scan.getDefaultInstance(), false, 0, by);
  }

  /** Opens scanners until one is refused. */
  private List<OpenScanner> fill(OnlineRegion of, MemoryPeer by) {
    List<OpenScanner> all = new ArrayList<>();
    assertThrows(
        RegionTooBusyException.class,
        () -> {
          while (all.size() < MAX_SCANNERS) {
            all.add(add(of, by));
          }
        });
    return all;
  }

  private static ScanRequest request(OpenScanner scanner) {
    return ScanRequest.newBuilder().setScannerId(scanner.id()).build();
  }

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
    scanners.reap();
  }

  @Test
  void aCallThatEndsReservesWhatItsScannerKeeps() throws IOException {
    OpenScanner scanner = add();
    long own = account.used(MemoryUse.SCANNERS);
    for (long bytes : new long[] {500_000, 700_000, 100_000}) {
      pageBytes = bytes;
      scanners.giveBack(scanner);
      assertEquals(own + bytes, account.used(MemoryUse.SCANNERS));
      scanners.take(request(scanner));
    }
    scanners.close(scanner);
    assertEquals(0, account.used(MemoryUse.SCANNERS));
  }

  @Test
  void pagesForWhichThereIsNoMemoryAreDropped() throws IOException {
    OpenScanner scanner = add();
    long own = account.used(MemoryUse.SCANNERS);
    pageBytes = MAX_BYTES;
    scanners.giveBack(scanner);
    assertEquals(own + LEAST_BYTES, account.used(MemoryUse.SCANNERS));
  }

  @Test
  void leaseExpiresUnlessTakenOrRenewed() throws IOException {
    OpenScanner scanner = add();
    pass(2 * LEASE_MILLIS);
    assertEquals(1, scanners.openCount(), "the opening call has the lease");
    scanners.giveBack(scanner);
    pass(LEASE_MILLIS - 1);
    scanners.giveBack(scanners.take(request(scanner)));
    pass(LEASE_MILLIS - 1);
    assertEquals(0, closed.get());
    pass(1);
    assertEquals(1, closed.get());
    assertThrows(UnknownScannerException.class, () -> scanners.take(request(scanner)));
  }

  @Test
  void onlyOneCallHasTheLease() throws IOException {
    OpenScanner scanner = add();
    assertThrows(LeaseException.class, () -> scanners.take(request(scanner)));
    scanners.giveBack(scanner);
    scanners.take(request(scanner));
    assertThrows(LeaseException.class, () -> scanners.take(request(scanner)));
  }

  @Test
  void closedIdIsRememberedForOneLease() throws IOException {
    OpenScanner scanner = add();
    scanners.close(scanner);
    pass(LEASE_MILLIS - 1);
    assertThrows(
        ScannerRegistry.AlreadyClosedException.class, () -> scanners.take(request(scanner)));
    pass(1);
    assertThrows(UnknownScannerException.class, () -> scanners.take(request(scanner)));
  }

  @Test
  void regionGoesOfflineWithItsScanners() throws IOException {
    scanners.giveBack(add());
    OpenScanner inCall = add();
    scanners.closeScannersOf(region);
    assertEquals(1, closed.get());
    scanners.drop(inCall);
    assertEquals(2, closed.get());
  }

  @Test
  void callsAfterTheirRegionWentOfflineAreToldSoForOneLease() throws IOException {
    OpenScanner asking = add();
    OpenScanner silent = add();
    scanners.giveBack(asking);
    scanners.giveBack(silent);
    regions.remove(region.encodedName());
    scanners.closeScannersOf(region);
    assertThrows(NotServingRegionException.class, () -> scanners.take(request(asking)));
    assertThrows(UnknownScannerException.class, () -> scanners.take(request(asking)));
    pass(LEASE_MILLIS);
    assertThrows(UnknownScannerException.class, () -> scanners.take(request(silent)));
    assertEquals(2, closed.get(), "each is closed once");
  }

  /** AsyncTable ends its scan after LeaseException, and opens it again after this. */
  @Test
  void aCallWhileItsScannerIsLetGoIsToldThatTheRegionWentOffline() throws IOException {
    OpenScanner scanner = add();
    scanners.giveBack(scanner);
    regions.remove(region.encodedName());
    whileClosing =
        () -> assertThrows(NotServingRegionException.class, () -> scanners.take(request(scanner)));
    scanners.closeScannersOf(region);
    assertEquals(1, closed.get());
  }

  @Test
  void aCallThatEndsAfterItsRegionWentOfflineLetsGoWhatItsScannerHolds() throws IOException {
    OpenScanner inCall = add();
    regions.remove(region.encodedName());
    scanners.closeScannersOf(region);
    assertEquals(0, closed.get(), "the call may be inside the engine");
    scanners.giveBack(inCall);
    assertEquals(1, closed.get());
    assertEquals(0, account.used(MemoryUse.SCANNERS));
    assertThrows(NotServingRegionException.class, () -> scanners.take(request(inCall)));
    assertEquals(1, closed.get(), "it is closed once");
  }

  @Test
  void idsDifferBetweenServersAndTheirNumberIsLimited() throws IOException {
    OpenScanner first = add();
    assertEquals(self.toString().hashCode(), (int) (first.id() >>> 32));
    assertNotEquals(first.id(), add().id());
  }

  @Test
  void openScannersAreCountedInBytesAndRefusedWithHBasesException() throws IOException {
    List<OpenScanner> all = fill(region, peer);
    assertEquals(1, closed.get(), "the refused scanner is closed");
    assertTrue(account.used(MemoryUse.SCANNERS) <= MAX_BYTES / 2, "one address has half");
    all.forEach(scanners::drop);
    assertEquals(0, account.used(MemoryUse.SCANNERS));
  }

  @Test
  void addressesWithManyScannersLeaveRoomForTheFirstOnesOfOthers() throws IOException {
    fill(region, peer);
    fill(region, new MemoryPeers(1).enter(null));
    OpenScanner first = add(region, new MemoryPeers(1).enter(null));
    pageBytes = 100_000;
    scanners.giveBack(first);
    assertEquals(LEAST_BYTES, pageBytes, "pages are not kept where scanners want the room");
  }

  @Test
  void scannersOfSystemTablesFindRoomWhateverOthersHave() throws IOException {
    OnlineRegion meta =
        new OnlineRegion(
            RegionInfoBuilder.FIRST_META_REGIONINFO,
            TableDescriptorBuilder.newBuilder(TableName.META_TABLE_NAME).build(),
            null,
            1);
    account.force(MemoryUse.SCANNERS, peer, MAX_BYTES / 16 * 15);
    assertThrows(RegionTooBusyException.class, this::add);
    add(meta, new MemoryPeers(1).enter(null));
  }

  @Test
  void closedScannersTakeABoundedRing() throws IOException {
    ClosedScanners ring = new ClosedScanners();
    for (int id = 1; id <= 3_000_000; id++) {
      ring.add(id, id + 7L, LEASE_MILLIS, 0);
    }
    assertEquals(1 << 18, ring.capacity());
    assertEquals(3_000_007, ring.nextCallSeq(3_000_000, LEASE_MILLIS - 1));
    assertEquals(2_900_007, ring.nextCallSeq(2_900_000, LEASE_MILLIS - 1));
    assertEquals(ClosedScanners.UNKNOWN, ring.nextCallSeq(1, LEASE_MILLIS - 1));
    assertEquals(ClosedScanners.UNKNOWN, ring.nextCallSeq(3_000_000, LEASE_MILLIS));
    ClosedScanners slow = new ClosedScanners();
    for (int id = 1; id <= 100_000; id++) {
      slow.add(id, id, id + 500L, id); // those of long ago make room
    }
    assertEquals(1 << 10, slow.capacity());
  }

  @Test
  void logNamesTheRegionAsHBaseDoes() throws IOException {
    try (CapturedLog log = CapturedLog.of(ScannerRegistry.class.getName())) {
      scanners.giveBack(add());
      pass(LEASE_MILLIS);
      String name = region.info().getRegionNameAsString();
      assertTrue(log.lines().stream().anyMatch(line -> line.contains(name)), log.lines()::toString);
      assertTrue(log.lines().stream().noneMatch(line -> line.contains("ByteString")));
    }
  }
}

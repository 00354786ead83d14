package org.grampus.engine;

import static org.grampus.engine.TestTable.buffer;
import static org.grampus.engine.TestTable.bytes;
import static org.grampus.engine.TestTable.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Handles after their close, and while many threads use and close them. */
class HandlesTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 20;

  /** Calls on a region before it is closed among them. */
  private static final int CALLS = 50;

  @TempDir private Path root;
  private TestTable table;

  @BeforeEach
  void open() {
    table = new TestTable(root, null);
  }

  @AfterEach
  void close() {
    table.close();
  }

  private static void assertNotServing(Executable call) {
    EngineException error = assertThrows(EngineException.class, call);
    assertEquals(ErrorKind.NOT_SERVING, error.kind(), error.getMessage());
  }

  private static void assertAllRefused(NativeRegion region) {
    for (Executable call :
        List.<Executable>of(
            () -> region.get(get("row"), buffer(1024)),
            () -> TestTable.put(region, "row", bytes("v")),
            () -> region.openScanner(TestTable.scan()),
            region::openReport,
            region::stats,
            region::flush,
            region::flushAndCompact,
            () -> region.snapshotFiles(false),
            () -> region.compact(new CompactionRequest(null, true)),
            region::clearCache,
            () -> region.pieces(1, 1),
            region::splitPoint)) {
      assertNotServing(call);
    }
  }

  @Test
  void aClosedRegionServesNothingAndASecondCloseDoesNothing() {
    NativeRegion region = table.open("region");
    region.close(false);
    region.close(true);
    assertAllRefused(region);
  }

  /** What the handle itself keeps from this side, by a second owner. */
  @Test
  void aStaleHandleIsRefusedByTheBridge() {
    NativeRegion region = table.open("region");
    NativeRegion stale = new NativeRegion(region.handle());
    NativeScanner scanner = region.openScanner(TestTable.scan());
    NativeScanner staleScanner = new NativeScanner(scanner.handle());
    scanner.close();
    region.close(true);
    NativeRegion next = table.open("next"); // in the same slot
    assertAllRefused(stale);
    assertNotServing(() -> stale.close(true));
    assertNotServing(staleScanner::memoryBytes);
    assertNotServing(staleScanner::dropPages);
    assertNotServing(() -> staleScanner.next(TestTable.limits(), buffer(64), new ScanInfo()));
    assertNotServing(staleScanner::close);
    assertEquals(Set.of("next"), table.engine().regionStats().keySet());
    next.close(true);
    for (long made : new long[] {1, -1, 0x7fff_ffff_0000_0005L, Long.MIN_VALUE}) {
      assertAllRefused(new NativeRegion(made));
    }
  }

  @Test
  void aScannerOutlivesItsRegionOnlyAsAHandle() {
    NativeRegion region = table.open("region");
    TestTable.put(region, "row", bytes("v"));
    NativeScanner scanner = region.openScanner(TestTable.scan());
    region.close(false);
    assertNotServing(() -> scanner.next(TestTable.limits(), buffer(1024), new ScanInfo()));
    scanner.close();
    scanner.close();
    assertNotServing(scanner::memoryBytes);
  }

  @Test
  void aClosedEngineServesNothing() {
    NativeEngine engine = table.engine();
    engine.close();
    engine.close();
    for (Executable call :
        List.<Executable>of(
            () -> table.open("region"),
            engine::metrics,
            engine::regionStats,
            engine::logFailure,
            engine::rollWal,
            engine::clearCompactions,
            () -> engine.pollEvents(0),
            () -> engine.pollCompletions(new CompletionEntries(1), 0),
            () -> engine.setCompactionsEnabled(true))) {
      assertNotServing(call);
    }
  }

  @Test
  void aCloseThatLeavesEditsInTheLogAloneFailsOnce() {
    NativeRegion region = table.open("region");
    TestTable.put(region, "row", bytes("v"));
    NativeEngine engine = table.engine();
    EngineException e = assertThrows(EngineException.class, engine::close);
    assertTrue(e.getMessage().startsWith("edits of 1 region, region for one, "), e.getMessage());
    engine.close();
    assertNotServing(engine::metrics);
  }

  @Test
  void theStatisticsAreThoseOfTheOpenRegions() {
    NativeRegion one = table.open("one");
    NativeRegion two = table.open("two");
    TestTable.put(one, "row", bytes("v"));
    assertEquals(Set.of("one", "two"), table.engine().regionStats().keySet());
    assertTrue(one.stats().memstoreBytes() > 0);
    assertEquals(
        one.stats().memstoreBytes(), table.engine().regionStats().get("one").memstoreBytes());
    one.flush();
    RegionStats stats = table.engine().regionStats().get("one");
    assertEquals(1, stats.storeFileCount());
    assertEquals(1, stats.stores().size());
    assertEquals(stats.storeFileBytes(), stats.stores().get(0).bytes());
    two.close(true);
    assertEquals(Set.of("one"), table.engine().regionStats().keySet());
    one.close(true);
  }

  /** One use of a region; false when it is closed. */
  private static boolean use(NativeRegion region, int thread, int call) {
    try {
      switch (call % 4) {
        case 0 -> region.get(get("row"), buffer(1024));
        case 1 -> TestTable.put(region, "row" + thread, bytes("v"));
        case 2 -> region.stats();
        default -> {
          try (NativeScanner scanner = region.openScanner(TestTable.scan())) {
            scanner.next(TestTable.limits(), buffer(1 << 16), new ScanInfo());
          }
        }
      }
      return true;
    } catch (EngineException e) {
      assertEquals(ErrorKind.NOT_SERVING, e.kind(), e.getMessage());
      return false;
    }
  }

  @Test
  void manyThreadsUseARegionUntilOneOfThemClosesIt() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        NativeRegion region = table.open("region" + round);
        AtomicLong calls = new AtomicLong();
        CountDownLatch begun = new CountDownLatch(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          int number = thread;
          Callable<Void> work =
              () -> {
                begun.countDown();
                begun.await();
                for (int call = 0; use(region, number, call); call++) {
                  if (calls.incrementAndGet() == CALLS) {
                    region.close(number % 2 == 0);
                  }
                }
                return null;
              };
          all.add(threads.submit(work));
        }
        for (Future<?> one : all) {
          one.get(60, TimeUnit.SECONDS);
        }
        assertTrue(calls.get() >= CALLS);
        assertAllRefused(region);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void oneScannerIsClosedOnceByManyThreadsWhileAnotherReads() throws Exception {
    NativeRegion region = table.open("region");
    for (int row = 0; row < 100; row++) {
      TestTable.put(region, "row" + row, bytes("v"));
    }
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        NativeScanner scanner = region.openScanner(TestTable.scan());
        CountDownLatch begun = new CountDownLatch(THREADS);
        List<Future<?>> all = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
          boolean reads = thread == 0;
          Callable<Void> work =
              () -> {
                begun.countDown();
                begun.await();
                if (reads) {
                  readToTheEnd(scanner);
                }
                scanner.close();
                return null;
              };
          all.add(threads.submit(work));
        }
        for (Future<?> one : all) {
          one.get(60, TimeUnit.SECONDS);
        }
        assertNotServing(scanner::memoryBytes);
      }
    } finally {
      threads.shutdownNow();
      region.close(true);
    }
  }

  private static void readToTheEnd(NativeScanner scanner) {
    ByteBuffer out = buffer(1 << 12);
    ScanInfo info = new ScanInfo();
    try {
      do {
        scanner.next(TestTable.limits().count(1, 0), out, info);
      } while (!info.endOfRegion());
    } catch (EngineException e) {
      assertEquals(ErrorKind.NOT_SERVING, e.kind(), e.getMessage());
    }
  }
}

package org.grampus.engine;

import static org.grampus.engine.TestTable.buffer;
import static org.grampus.engine.TestTable.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** A region's files without a server: their cells, their pieces, buffers and handles. */
class FrozenRegionTest {
  private static final int ROWS = 300;
  private static final int THREADS = 8;
  private static final int VALUE_BYTES = 40;
  private static final byte[] VALUE = bytes("value");

  @TempDir private Path root;
  private TestTable table;
  private NativeRegion served;
  private SnapshotFiles files;

  @BeforeEach
  void write() {
    table = new TestTable(root, null);
    served = table.open("region");
    for (int row = 0; row < ROWS; row++) {
      TestTable.put(served, name(row), TestTable.noise(row, VALUE_BYTES));
    }
    files = served.snapshotFiles(true);
  }

  @AfterEach
  void close() {
    served.close(true);
    table.close();
  }

  private static String name(int row) {
    return String.format("row%04d", row);
  }

  private NativeFrozenRegion open() {
    return NativeFrozenRegion.open(table.frozen("region", files), null, null);
  }

  private static void assertKind(ErrorKind kind, Executable call) {
    EngineException error = assertThrows(EngineException.class, call);
    assertEquals(kind, error.kind(), error.getMessage());
  }

  private static void assertStatus(int status, long result) {
    assertEquals(status, CallStatus.status(result));
  }

  private static byte[] taken(ByteBuffer out, long result) {
    assertStatus(CallStatus.DONE, result);
    byte[] cells = new byte[CallStatus.bytes(result)];
    out.get(out.position(), cells);
    return cells;
  }

  /** All cells of a scan, one behind the other. */
  private static byte[] all(NativeFrozenScan scan, ScanLimits limits) {
    ScanInfo info = new ScanInfo();
    ByteBuffer out = buffer(1 << 16);
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    do {
      all.put(taken(out, scan.next(limits, out, info)));
    } while (info.stopReason() != StopReason.END);
    byte[] cells = new byte[all.position()];
    all.flip().get(cells);
    return cells;
  }

  private byte[] servedCells() {
    ByteBuffer out = buffer(1 << 20);
    try (NativeScanner scanner = served.openScanner(TestTable.scan())) {
      return taken(out, scanner.next(TestTable.limits(), out, new ScanInfo()));
    }
  }

  @Test
  void theCellsAreThoseOfTheServer() {
    try (NativeFrozenRegion region = open()) {
      for (int rows : new int[] {1, 7, ROWS, Integer.MAX_VALUE}) {
        try (NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
          assertArrayEquals(servedCells(), all(scan, TestTable.limits().count(rows, 0)));
        }
      }
    }
  }

  @Test
  void aCallSaysWhatItReturnedAndWhyItEnded() {
    ScanInfo info = new ScanInfo();
    ByteBuffer out = buffer(1 << 16).position(5);
    try (NativeFrozenRegion region = open();
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      long result = scan.next(TestTable.limits().count(1000, 10), out, info);
      assertStatus(CallStatus.DONE, result);
      assertEquals(5, out.position());
      assertEquals(StopReason.RESULTS, info.stopReason());
      assertEquals(10, info.resultCount());
      assertEquals(10, info.completeRows());
      assertEquals(1, info.result(9));
      assertEquals(CallStatus.bytes(result), info.cellBytes());
      assertEquals(10, info.counts().rowsScanned());
      assertFalse(info.endOfRegion());
      assertArrayEquals(bytes(name(9)), info.lastRow());
      scan.next(TestTable.limits(), out, info);
      assertEquals(ROWS - 10, info.resultCount());
      assertTrue(info.endOfRegion());
      assertEquals(ROWS, info.counts().rowsScanned());
      assertArrayEquals(bytes(name(ROWS - 1)), info.lastRow());
      assertStatus(CallStatus.DONE, scan.next(TestTable.limits(), out, info));
      assertEquals(0, info.resultCount());
    }
  }

  @Test
  void cellsThatDoNotFitWaitForALargerBuffer() {
    ScanInfo info = new ScanInfo();
    byte[] expected = servedCells();
    try (NativeFrozenRegion region = open();
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      ScanLimits one = TestTable.limits().count(1, 0);
      long small = scan.next(one, buffer(0), info);
      assertStatus(CallStatus.NEED_BYTES, small);
      int needed = CallStatus.bytes(small);
      assertEquals(expected.length / ROWS, needed);
      assertEquals(small, scan.next(TestTable.limits(), buffer(needed - 1), info));
      ByteBuffer out = buffer(needed);
      assertArrayEquals(
          Arrays.copyOf(expected, needed), taken(out, scan.next(TestTable.limits(), out, info)));
      assertEquals(1, info.resultCount());
      assertEquals(
          expected.length - needed, all(scan, TestTable.limits().count(50, 0)).length, "the rest");
    }
  }

  @Test
  void aBatchSaysWhetherMoreOfItsRowMayFollow() {
    for (char qualifier = 'r'; qualifier < 'w'; qualifier++) {
      TestTable.put(served, name(0), qualifier, VALUE);
    }
    files = served.snapshotFiles(true);
    ScanInfo info = new ScanInfo();
    try (NativeFrozenRegion region = open();
        NativeFrozenScan scan = region.scan(TestTable.batchScan(4, new byte[0]), 0)) {
      scan.next(TestTable.limits().count(3, 0), buffer(1 << 16), info);
      assertEquals(3, info.resultCount());
      assertEquals(4 | ScanInfo.PARTIAL_BIT, info.result(0));
      assertEquals(2, info.result(1));
      assertEquals(1, info.result(2));
      assertEquals(2, info.completeRows());
    }
  }

  @Test
  void whatWasReadIsCounted() {
    try (NativeFrozenRegion region = open()) {
      assertEquals(FrozenReads.NONE, region.reads());
      try (NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
        all(scan, TestTable.limits());
      }
      FrozenReads reads = region.reads();
      assertTrue(reads.cacheMisses() > 0, reads.toString());
      long stored = files.families().get(0).files().get(0).bytes();
      assertTrue(reads.readBytes() > 0 && reads.readBytes() <= stored, reads.toString());
      FrozenReads twice = new FrozenReads(1, 2, 3).plus(new FrozenReads(4, 5, 6));
      assertEquals(new FrozenReads(5, 7, 9), twice);
    }
  }

  @Test
  void piecesBeginWhereRowsBegin() {
    try (NativeFrozenRegion region = open()) {
      List<RowPiece> whole = region.pieces(Long.MAX_VALUE);
      assertEquals(1, whole.size());
      assertArrayEquals(bytes(name(0)), whole.get(0).firstRow());
      List<RowPiece> rows = region.pieces(1);
      assertEquals(ROWS, rows.size());
      for (int row = 0; row < ROWS; row++) {
        assertArrayEquals(bytes(name(row)), rows.get(row).firstRow());
      }
      long bytes = rows.stream().mapToLong(RowPiece::bytes).sum();
      assertEquals(whole.get(0).bytes(), bytes);
      int few = region.pieces(bytes / 4).size();
      assertTrue(few >= 4 && few <= 6, few + " pieces");
    }
  }

  @Test
  void theServedRegionHasTheSamePieces() {
    try (NativeFrozenRegion region = open()) {
      for (long pieceBytes : new long[] {1, 200, Long.MAX_VALUE}) {
        List<RowPiece> pieces = served.pieces(pieceBytes, 60_000);
        assertEquals(show(region.pieces(pieceBytes)), show(pieces));
      }
    }
  }

  private static List<String> show(List<RowPiece> pieces) {
    return pieces.stream()
        .map(piece -> HexFormat.of().formatHex(piece.firstRow()) + " " + piece.bytes())
        .toList();
  }

  @Test
  void aRegionWithoutFilesHasNothing() {
    files = new SnapshotFiles(List.of());
    try (NativeFrozenRegion region = open();
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      assertEquals(List.of(), region.pieces(1));
      assertEquals(0, all(scan, TestTable.limits()).length);
    }
  }

  @Test
  void whatCannotBeScannedIsRefused() {
    byte[] byRow = TestTable.rowFilter(VALUE);
    try (NativeFrozenRegion region = open()) {
      assertKind(ErrorKind.NO_SUCH_FAMILY, () -> region.scan(TestTable.familyScan("missing"), 0));
      assertKind(ErrorKind.BAD_REQUEST, () -> region.scan(TestTable.get("row"), 0));
      assertKind(ErrorKind.BAD_REQUEST, () -> region.scan(TestTable.batchScan(1, byRow), 0));
      assertKind(ErrorKind.BAD_REQUEST, () -> region.scan(TestTable.scan().limit(9), 0));
      assertKind(
          ErrorKind.BAD_REQUEST, () -> region.scan(TestTable.scan(TestTable.patternFilter()), 0));
      region.scan(TestTable.familyScan("f"), 0).close();
      region.scan(TestTable.scan(byRow), 0).close();
    }
  }

  @Test
  void aFileThatIsGoneIsAnErrorThatNamesItsPlaces() throws Exception {
    String name = files.families().get(0).files().get(0).name();
    Path archived = root.resolve("archive/data/default/t/region/f").resolve(name);
    Files.createDirectories(archived.getParent());
    Files.move(root.resolve("data/default/t/region/f").resolve(name), archived);
    open().close();
    Files.move(archived, root.resolve("elsewhere"));
    EngineException error = assertThrows(EngineException.class, this::open);
    assertEquals(ErrorKind.IO, error.kind());
    assertTrue(error.getMessage().contains(archived.toString()), error.getMessage());
  }

  @Test
  void aRootThatIsNotLocalNeedsAnOpener() {
    FrozenRegionRequest request = TestTable.frozen("hdfs://host:1/hbase", "region", files);
    assertKind(ErrorKind.BAD_REQUEST, () -> NativeFrozenRegion.open(request, null, null).close());
    FrozenRegionRequest uri = TestTable.frozen(root.toUri().toString(), "region", files);
    NativeFrozenRegion.open(uri, null, null).close();
  }

  @Test
  void aClosedRegionServesNothingAndItsScansGoOn() {
    NativeFrozenRegion region = open();
    NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
    region.close();
    region.close();
    assertKind(ErrorKind.NOT_SERVING, () -> region.pieces(1));
    assertKind(ErrorKind.NOT_SERVING, () -> region.scan(TestTable.scan(), 0));
    assertArrayEquals(servedCells(), all(scan, TestTable.limits()));
    scan.close();
    scan.close();
    assertKind(ErrorKind.NOT_SERVING, () -> all(scan, TestTable.limits()));
  }

  /** What the handle itself keeps from this side, by a second owner. */
  @Test
  void aStaleHandleIsRefusedByTheBridge() {
    NativeFrozenRegion region = open();
    NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
    NativeFrozenRegion stale = new NativeFrozenRegion(region.handle());
    NativeFrozenScan staleScan = new NativeFrozenScan(scan.handle());
    scan.close();
    region.close();
    NativeFrozenRegion next = open(); // in the same slot
    assertKind(ErrorKind.NOT_SERVING, () -> stale.pieces(1));
    assertKind(ErrorKind.NOT_SERVING, () -> stale.scan(TestTable.scan(), 0));
    assertKind(ErrorKind.NOT_SERVING, stale::close);
    assertKind(ErrorKind.NOT_SERVING, () -> all(staleScan, TestTable.limits()));
    assertKind(ErrorKind.NOT_SERVING, staleScan::close);
    assertEquals(1, next.pieces(Long.MAX_VALUE).size());
    next.close();
    for (long made : new long[] {1, -1, 0x7fff_ffff_0000_0005L, Long.MIN_VALUE}) {
      assertKind(ErrorKind.NOT_SERVING, () -> new NativeFrozenRegion(made).pieces(1));
      assertKind(ErrorKind.NOT_SERVING, () -> all(new NativeFrozenScan(made), TestTable.limits()));
    }
  }

  @Test
  void buffersThatCannotCrossAreRefused() {
    ByteBuffer heap = ByteBuffer.allocate(1024);
    try (NativeFrozenRegion region = open();
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
      ScanInfo info = new ScanInfo();
      assertKind(ErrorKind.BUG, () -> region.scan(heap, 0));
      assertKind(ErrorKind.BUG, () -> scan.next(TestTable.limits(), heap, info));
      ByteBuffer readOnly = buffer(1024).asReadOnlyBuffer();
      assertKind(ErrorKind.BUG, () -> scan.next(TestTable.limits(), readOnly, info));
      assertArrayEquals(servedCells(), all(scan, TestTable.limits()));
    }
  }

  @Test
  void manyThreadsScanARegionThatOneOfThemCloses() throws Exception {
    byte[] expected = servedCells();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      NativeFrozenRegion region = open();
      List<Future<?>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        int number = thread;
        Callable<Void> work =
            () -> {
              for (int call = 0; call < 20; call++) {
                try (NativeFrozenScan scan = region.scan(TestTable.scan(), 0)) {
                  assertArrayEquals(expected, all(scan, TestTable.limits().count(25, 0)));
                } catch (EngineException e) {
                  assertEquals(ErrorKind.NOT_SERVING, e.kind(), e.getMessage());
                }
                if (number == 0 && call == 10) {
                  region.close();
                }
              }
              return null;
            };
        all.add(threads.submit(work));
      }
      for (Future<?> one : all) {
        one.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aScanIsClosedWhileAnotherThreadReadsIt() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (NativeFrozenRegion region = open()) {
      for (int round = 0; round < 50; round++) {
        NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
        Future<?> reads =
            threads.submit(
                () -> {
                  try {
                    all(scan, TestTable.limits().count(1, 0));
                  } catch (EngineException e) {
                    assertEquals(ErrorKind.NOT_SERVING, e.kind(), e.getMessage());
                  }
                });
        Future<?> closes = threads.submit(scan::close);
        reads.get(60, TimeUnit.SECONDS);
        closes.get(60, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void patternsOfJavaDecideAndTheirExceptionsAreErrorsOfTheScan() {
    TestTable.put(served, "xaax", bytes("xaax"));
    files = served.snapshotFiles(true);
    PatternCompiler throwing =
        (pattern, flags, charset, engine) -> {
          throw new IllegalStateException("thrown in compile");
        };
    PatternCompiler finds =
        (pattern, flags, charset, engine) ->
            new CompiledPattern() {
              @Override
              public int find(byte[] value) {
                if (value.length == 0) {
                  throw new IllegalStateException("thrown in find");
                }
                return value[0] == 'x' ? FOUND : ABSENT;
              }

              @Override
              public String failure() {
                return null;
              }
            };
    ByteBuffer spec = TestTable.scan(TestTable.patternFilter());
    ScanInfo info = new ScanInfo();
    FrozenRegionRequest request = table.frozen("region", files);
    try (NativeFrozenRegion region = NativeFrozenRegion.open(request, null, throwing)) {
      assertKind(ErrorKind.BUG, () -> region.scan(spec, 0));
    }
    try (NativeFrozenRegion region = NativeFrozenRegion.open(request, null, finds);
        NativeFrozenScan scan = region.scan(spec, 0)) {
      scan.next(TestTable.limits(), buffer(1 << 16), info);
      assertEquals(1, info.resultCount());
    }
    TestTable.put(served, "empty", new byte[0]);
    files = served.snapshotFiles(true);
    try (NativeFrozenRegion region =
            NativeFrozenRegion.open(table.frozen("region", files), null, finds);
        NativeFrozenScan scan = region.scan(spec, 0)) {
      ByteBuffer out = buffer(1 << 16);
      assertKind(ErrorKind.BUG, () -> scan.next(TestTable.limits(), out, info));
      assertKind(ErrorKind.BUG, () -> scan.next(TestTable.limits(), out, info));
    }
  }
}

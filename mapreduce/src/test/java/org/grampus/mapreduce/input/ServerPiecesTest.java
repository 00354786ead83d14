package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.input.ServerPieces.Answer;
import org.grampus.mapreduce.input.ServerPieces.Service;
import org.junit.jupiter.api.Test;

class ServerPiecesTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final long MB = 1L << 20;
  private static final long GB = 1L << 30;

  static byte[] b(String key) {
    return Bytes.toBytes(key);
  }

  private static TableSplit region(byte[] start, byte[] end, long bytes) {
    return new TableSplit(NAME, null, start, end, "h", Bytes.toStringBinary(start), bytes);
  }

  /** {@code count} regions of decimal keys. */
  static List<TableSplit> regions(int count, long bytes) {
    String format = "%0" + String.valueOf(count - 1).length() + "d";
    List<TableSplit> regions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] start = i == 0 ? new byte[0] : b(String.format(format, i));
      byte[] end = i == count - 1 ? new byte[0] : b(String.format(format, i + 1));
      regions.add(region(start, end, bytes));
    }
    return regions;
  }

  static Piece piece(String row, long bytes) {
    return new Piece(b(row), bytes);
  }

  static Answer answer(String end, Piece... pieces) {
    return new Answer(List.of(pieces), b(end));
  }

  private static ServerPieces pieces(Service service) {
    return new ServerPieces(service, ServerPieces.PATIENCE_MILLIS);
  }

  static List<PlannedTableSplit> plan(
      List<TableSplit> regions, KeyRange scan, SplitGoal goal, Service service) {
    try {
      return TableSplits.plan(regions, scan, goal, pieces(service));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static CutRegion cut(KeyRange range, long bytes) {
    return new CutRegion(0, RegionPieces.whole(range, bytes), 1);
  }

  /** The pieces of one region, as text. */
  private static List<String> shown(KeyRange range, Service service) throws IOException {
    return pieces(service).pieces(List.of(cut(range, MB))).get(0).stream()
        .map(piece -> Bytes.toStringBinary(piece.firstRow()) + "=" + piece.bytes())
        .toList();
  }

  /** Regions of a table without gaps. Some are listed with what they were or became, too. */
  private static List<TableSplit> table(Keys keys, Random random) {
    List<TableSplit> regions = new ArrayList<>();
    TableSplit before = null;
    for (KeyRange range : UniformKeysTest.regions(keys, random)) {
      TableSplit region = region(range.start(), range.end(), random.nextInt(200) * MB);
      regions.add(region);
      if (before != null && random.nextInt(4) == 0) {
        regions.add(region(before.getStartRow(), region.getEndRow(), 300 * MB));
      }
      byte[] middle = keys.next(random);
      if (range.contains(middle) && random.nextInt(4) == 0) {
        regions.add(region(range.start(), middle, 50 * MB));
      }
      before = region;
    }
    return regions;
  }

  private static KeyRange anyRange(Keys keys, Random random) {
    byte[] from = random.nextInt(3) == 0 ? keys.next(random) : new byte[0];
    byte[] to = random.nextInt(3) == 0 ? keys.next(random) : new byte[0];
    boolean descends = to.length > 0 && Bytes.compareTo(from, to) >= 0;
    return KeyRange.of(from, descends ? new byte[0] : to);
  }

  private static SplitGoal anyGoal(Random random) {
    int amount = 1 + random.nextInt(20);
    return switch (random.nextInt(3)) {
      case 0 -> SplitGoal.perRegion(amount);
      case 1 -> SplitGoal.total(amount);
      default -> SplitGoal.bytes(amount * 10L * MB);
    };
  }

  @Test
  void piecesAreInTheirRegionsAndAscendWhateverServersAnswer() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<CutRegion> regions = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            regions.add(cut(anyRange(keys, random), random.nextInt(200) * MB));
          }
          ServerPieces source = pieces(new AnyAnswers(keys, random.nextLong()));
          List<List<Piece>> pieces = assertDoesNotFail(() -> source.pieces(regions));
          assertEquals(regions.size(), pieces.size());
          for (int i = 0; i < regions.size(); i++) {
            checkPieces(pieces.get(i), regions.get(i).region());
          }
        });
  }

  private interface Asking {
    List<List<Piece>> run() throws IOException;
  }

  private static List<List<Piece>> assertDoesNotFail(Asking asking) {
    try {
      return asking.run();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void checkPieces(List<Piece> pieces, RegionPieces region) {
    assertTrue(pieces.size() <= CheckedPieces.PIECES_MAX, pieces.size() + " pieces");
    long sum = 0;
    byte[] before = null;
    for (Piece piece : pieces) {
      byte[] row = piece.firstRow();
      assertTrue(row.length <= HConstants.MAX_ROW_LENGTH, row.length + " bytes");
      assertTrue(region.range().contains(row), Bytes.toStringBinary(row));
      assertTrue(before == null || Bytes.compareTo(before, row) < 0, Bytes.toStringBinary(row));
      assertTrue(piece.bytes() >= 0 && piece.bytes() <= CheckedPieces.BYTES_MAX);
      sum += piece.bytes();
      before = row;
    }
    assertTrue(sum <= 16 * region.bytes() + GB, sum + " bytes");
  }

  @Test
  void theSplitsAreTheTableWhateverServersAnswer() {
    Seeds.check(
        random -> {
          Keys keys = Keys.any(random);
          List<TableSplit> regions = table(keys, random);
          KeyRange scan = anyRange(keys, random);
          SplitGoal goal = anyGoal(random);
          Service service = new AnyAnswers(keys, random.nextLong());
          List<PlannedTableSplit> splits = plan(regions, scan, goal, service);
          checkCover(splits, scan, goal);
          long regionsMost = 17 * 300 * MB / (10 * MB) + GB / (10 * MB) + 1000;
          assertTrue(splits.size() <= regions.size() * regionsMost, splits.size() + " splits");
        });
  }

  /** Splits meet, from the first row of the scan to the last one. */
  private static void checkCover(List<PlannedTableSplit> splits, KeyRange scan, SplitGoal goal) {
    assertArrayEquals(scan.start(), splits.get(0).getStartRow(), goal.toString());
    assertArrayEquals(scan.end(), splits.get(splits.size() - 1).getEndRow(), goal.toString());
    for (int i = 1; i < splits.size(); i++) {
      assertArrayEquals(splits.get(i - 1).getEndRow(), splits.get(i).getStartRow());
    }
    for (PlannedTableSplit split : splits) {
      assertTrue(split.getLength() >= 1);
      assertTrue(split.getStartRow().length <= HConstants.MAX_ROW_LENGTH);
      boolean open = split.getEndRow().length == 0;
      assertTrue(open || Bytes.compareTo(split.getStartRow(), split.getEndRow()) < 0);
    }
  }

  /** Decimal keys, of which one in twenty has nine tenths of the bytes. */
  private static Answer skewed() {
    List<Piece> pieces = new ArrayList<>();
    for (int key = 0; key < 1000; key++) {
      long bytes = key >= 400 && key < 450 ? 18_000 : 105;
      pieces.add(piece(String.format("%03d", key), bytes));
    }
    return new Answer(pieces, new byte[0]);
  }

  @Test
  void splitsHaveTheBytesThatServersSay() {
    List<TableSplit> regions = List.of(region(new byte[0], new byte[0], MB));
    List<PlannedTableSplit> splits =
        plan(regions, KeyRange.ALL, SplitGoal.total(5), (row, bytes) -> skewed());
    assertEquals(5, splits.size());
    for (PlannedTableSplit split : splits) {
      assertEquals(1_000_000 / 5.0, (double) split.getLength(), 40_000, split.toString());
    }
    assertTrue(Bytes.compareTo(splits.get(1).getStartRow(), b("400")) >= 0);
    assertTrue(Bytes.compareTo(splits.get(4).getStartRow(), b("450")) < 0);
  }

  /** A service of which every call fails, and the number of calls that may be made of it. */
  private static void checkCutByKeys(Service failing, int asksMost) {
    AtomicInteger asked = new AtomicInteger();
    List<TableSplit> regions = regions(1000, 10 * MB);
    SplitGoal goal = SplitGoal.total(5000);
    Service counted =
        (row, bytes) -> {
          asked.incrementAndGet();
          return failing.ask(row, bytes);
        };
    assertEquals(
        TableSplits.plan(regions, KeyRange.ALL, goal), plan(regions, KeyRange.ALL, goal, counted));
    assertTrue(asked.get() >= 1 && asked.get() <= asksMost, asked + " calls");
  }

  private static Service throwing(Supplier<? extends Throwable> thrown) {
    return (row, bytes) -> {
      Throwable e = thrown.get();
      if (e instanceof IOException failed) {
        throw failed;
      }
      if (e instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e;
    };
  }

  @Test
  void aServerWithoutTheServiceIsAskedOnceAndKeysCut() {
    checkCutByKeys(
        throwing(() -> new UnknownProtocolException("No registered coprocessor service found")),
        ServerPieces.THREADS);
  }

  @Test
  void aClientWithoutTheClassesAsksOnceAndKeysCut() {
    checkCutByKeys(
        throwing(() -> new NoClassDefFoundError("com/google/protobuf/Message")),
        ServerPieces.THREADS);
    checkCutByKeys(
        throwing(() -> new NoSuchMethodError("coprocessorService")), ServerPieces.THREADS);
  }

  @Test
  void noRegionIsAskedAfterAFewErrorsAndKeysCut() {
    int most = ServerPieces.FAILURES_MAX + ServerPieces.THREADS;
    checkCutByKeys(throwing(() -> new IOException("no answer")), most);
    checkCutByKeys(throwing(() -> new IllegalStateException("a defect")), most);
    checkCutByKeys(throwing(() -> new InterruptedIOException("of the client's own")), most);
  }

  @Test
  void aConnectionThatCannotCallFailsNoJob() throws IOException {
    for (Throwable thrown :
        List.of(
            new NoSuchMethodError("getTable"),
            new IllegalStateException("closed"),
            new UnsupportedOperationException("no coprocessors"),
            new IOException("gone"))) {
      Connection connection =
          (Connection)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, args) -> {
                    throw thrown;
                  });
      List<TableSplit> regions = regions(10, 10 * MB);
      SplitGoal goal = SplitGoal.perRegion(4);
      assertEquals(
          TableSplits.plan(regions, KeyRange.ALL, goal),
          TableSplits.plan(
              new Configuration(false), connection, NAME, regions, KeyRange.ALL, goal));
    }
  }

  @Test
  void aRegionThatDoesNotAnswerIsCutByKeysAndTheOthersByBytes() {
    List<TableSplit> regions =
        List.of(region(new byte[0], b("5"), 100 * MB), region(b("5"), new byte[0], 100 * MB));
    List<PlannedTableSplit> splits =
        plan(
            regions,
            KeyRange.ALL,
            SplitGoal.perRegion(2),
            (row, bytes) -> {
              if (row.length == 0) {
                throw new SocketTimeoutException("gone");
              }
              return answer("", piece("5", 10), piece("9999", 10));
            });
    assertEquals(4, splits.size());
    assertArrayEquals(b("9999"), splits.get(3).getStartRow());
    assertTrue(Bytes.compareTo(splits.get(1).getStartRow(), b("5")) < 0);
  }

  @Test
  void anAnswerOfFarMoreBytesThanTheRegionHasIsNotBelieved() throws IOException {
    assertEquals(List.of("a=1", "b=1073741824"), shownOf(GB));
    assertEquals(List.of(), shownOf(GB + 16 * MB));
    assertEquals(List.of(), shownOf(Long.MAX_VALUE));
  }

  private static List<String> shownOf(long bytes) throws IOException {
    return shown(KeyRange.ALL, (row, p) -> answer("", piece("a", 1), piece("b", bytes)));
  }

  @Test
  void rowsThatHBaseDoesNotAllowAreLeftOut() throws IOException {
    byte[] longest = new byte[HConstants.MAX_ROW_LENGTH];
    byte[] tooLong = new byte[HConstants.MAX_ROW_LENGTH + 1];
    Arrays.fill(longest, (byte) 'c');
    Arrays.fill(tooLong, (byte) 'd');
    List<Piece> pieces =
        List.of(piece("a", 1), new Piece(longest, 2), new Piece(tooLong, 4), piece("e", 8));
    AtomicInteger asked = new AtomicInteger();
    ServerPieces source =
        pieces(
            (row, bytes) -> {
              asked.incrementAndGet();
              return new Answer(pieces, tooLong);
            });
    List<Piece> found = source.pieces(List.of(cut(KeyRange.ALL, MB))).get(0);
    assertEquals(List.of(1L, 2L), found.stream().map(Piece::bytes).toList());
    assertEquals(1, asked.get(), "there is no such row to go on at");
  }

  @Test
  void whatBecameOfARegionIsAskedOneAfterTheOther() throws IOException {
    List<String> asked = new ArrayList<>();
    Service service =
        (row, bytes) -> {
          asked.add(Bytes.toString(row));
          return switch (Bytes.toString(row)) {
            case "b" -> answer("f", piece("a", 1), piece("aa", 3), piece("c", 2), piece("g", 9));
            case "f" -> answer("m", piece("e", 64), piece("f1", 4));
            default -> answer("z", piece("m2", 8), piece("t", 16), piece("y", 32));
          };
        };
    List<String> found = shown(KeyRange.of(b("b"), b("t")), service);
    assertEquals(List.of("b", "f", "m"), asked);
    assertEquals(List.of("b=3", "c=2", "f=64", "f1=4", "m2=8"), found);
  }

  @Test
  void onlyRegionsThatAreCutAreAsked() {
    List<TableSplit> regions = regions(10_000, MB);
    TableSplit large = regions.get(5000);
    regions.set(5000, region(large.getStartRow(), large.getEndRow(), 10_000 * MB));
    AtomicInteger asked = new AtomicInteger();
    Service service =
        (row, bytes) -> {
          asked.incrementAndGet();
          return answer("", new Piece(row, 1000));
        };
    plan(regions, KeyRange.ALL, SplitGoal.total(100), service);
    assertEquals(1, asked.get(), "the others are smaller than a tenth of a split");
  }
}

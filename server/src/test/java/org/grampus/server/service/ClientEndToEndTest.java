package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineException;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An unmodified hbase-client against the server, over engines in memory. */
class ClientEndToEndTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");

  private LocalCluster cluster;
  private InjectedRegion low;
  private InjectedRegion high;
  private Connection connection;
  private Table table;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    low = cluster.addRegion("", "m");
    high = cluster.addRegion("m", "");
    connect(cluster.clientConfiguration());
  }

  private void connect(Configuration conf) throws IOException {
    connection = ConnectionFactory.createConnection(conf);
    table = connection.getTable(LocalCluster.TABLE);
  }

  @AfterEach
  void stop() throws IOException {
    table.close();
    connection.close();
    cluster.close();
    assertNull(cluster.fatal());
    assertEquals(0, cluster.server().dispatcher().bytesInFlight());
    PooledMemory.assertBuffersInUse(buffersBefore);
  }

  private static Put put(String row, String value) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, Bytes.toBytes(value));
  }

  private static Get get(String row) {
    return new Get(Bytes.toBytes(row));
  }

  private static String value(Result result) {
    return Bytes.toString(result.getValue(F, Q));
  }

  @Test
  void getSeesPut() throws IOException {
    table.put(put("a", "1"));
    table.put(put("z", "2"));
    assertEquals("1", value(table.get(get("a"))));
    assertEquals("2", value(table.get(get("z"))));
    assertTrue(table.get(get("b")).isEmpty());
    assertTrue(table.exists(get("a")));
    assertFalse(table.exists(get("b")));
  }

  @Test
  void everythingWorksWhereTheEventLoopWouldBlock() throws IOException {
    low.wouldBlock.set(3);
    table.put(put("a", "1"));
    low.wouldBlock.set(1);
    assertEquals("1", value(table.get(get("a"))));
    low.wouldBlock.set(1);
    Result[] results = table.get(List.of(get("a"), get("z"), get("a")));
    assertEquals("1", value(results[0]));
    assertTrue(results[1].isEmpty());
    assertEquals("1", value(results[2]));
    assertEquals(0, low.wouldBlock.get());
  }

  @Test
  void aRowLargerThanTheFirstBufferArrivesWhole() throws IOException {
    byte[] big = new byte[300_000];
    big[299_999] = 7;
    table.put(new Put(Bytes.toBytes("a")).addColumn(F, Q, big));
    assertArrayEquals(big, table.get(get("a")).getValue(F, Q));
  }

  @Test
  void manyPutsGoInBatches() throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      puts.add(put(String.format("%c%05d", i % 2 == 0 ? 'a' : 'z', i), "v" + i));
    }
    table.put(puts);
    assertTrue(low.batches.get() + high.batches.get() < 50, "puts did not travel in batches");
    try (BufferedMutator mutator = connection.getBufferedMutator(LocalCluster.TABLE)) {
      mutator.mutate(put("b", "buffered"));
      mutator.mutate(new Delete(Bytes.toBytes("a00000")));
    }
    assertEquals("buffered", value(table.get(get("b"))));
    assertTrue(table.get(get("a00000")).isEmpty());
    List<Get> gets = List.of(get("a00002"), get("z01999"), get("none"));
    Result[] results = table.get(gets);
    assertEquals("v2", value(results[0]));
    assertEquals("v1999", value(results[1]));
    assertTrue(results[2].isEmpty());
    assertArrayEquals(new boolean[] {true, true, false}, table.exists(gets));
  }

  @Test
  void mixedBatchAnswersEveryActionInItsPlace() throws Exception {
    table.put(put("a", "1"));
    List<Row> actions =
        List.of(
            get("a"),
            put("b", "2"),
            new Increment(Bytes.toBytes("c")).addColumn(F, Q, 5),
            new Get(Bytes.toBytes("a")).addFamily(Bytes.toBytes("nope")),
            new Append(Bytes.toBytes("a")).addColumn(F, Q, Bytes.toBytes("x")),
            new Delete(Bytes.toBytes("zz")),
            new Put(Bytes.toBytes("d")).addColumn(Bytes.toBytes("nope"), Q, Q),
            get("a"));
    Object[] results = new Object[actions.size()];
    assertThrows(IOException.class, () -> table.batch(actions, results));
    assertEquals("1", value((Result) results[0]));
    assertTrue(((Result) results[1]).isEmpty());
    assertEquals(5, Bytes.toLong(((Result) results[2]).getValue(F, Q)));
    assertInstanceOf(NoSuchColumnFamilyException.class, results[3]);
    assertEquals("1x", value((Result) results[4]));
    assertTrue(((Result) results[5]).isEmpty());
    assertInstanceOf(NoSuchColumnFamilyException.class, results[6]);
    assertInstanceOf(Result.class, results[7]);
  }

  @Test
  void incrementAndAppendReturnTheirCells() throws IOException {
    byte[] row = Bytes.toBytes("a");
    assertEquals(3, table.incrementColumnValue(row, F, Q, 3));
    assertEquals(10, table.incrementColumnValue(row, F, Q, 7));
    Append append = new Append(row).addColumn(F, Bytes.toBytes("s"), Bytes.toBytes("ab"));
    assertEquals("ab", Bytes.toString(table.append(append).value()));
    Append silent =
        new Append(row)
            .addColumn(F, Bytes.toBytes("s"), Bytes.toBytes("c"))
            .setReturnResults(false);
    assertTrue(table.append(silent).isEmpty());
    table.put(put("b", "no long"));
    assertThrows(
        DoNotRetryIOException.class, () -> table.incrementColumnValue(Bytes.toBytes("b"), F, Q, 1));
  }

  @Test
  void conditionsDecide() throws IOException {
    byte[] row = Bytes.toBytes("a");
    CheckAndMutate ifNew =
        CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(put("a", "first"));
    assertTrue(table.checkAndMutate(ifNew).isSuccess());
    assertFalse(table.checkAndMutate(ifNew).isSuccess());
    CheckAndMutate less =
        CheckAndMutate.newBuilder(row)
            .ifMatches(F, Q, CompareOperator.LESS, Bytes.toBytes("e"))
            .build(put("a", "second"));
    assertTrue(table.checkAndMutate(less).isSuccess(), "the given value is the left operand");
    RowMutations both =
        RowMutations.of(
            List.of(
                new Increment(row).addColumn(F, Bytes.toBytes("n"), 2),
                new Put(row).addColumn(F, Bytes.toBytes("p"), Q)));
    CheckAndMutate conditional =
        CheckAndMutate.newBuilder(row).ifEquals(F, Q, Bytes.toBytes("second")).build(both);
    CheckAndMutateResult result = table.checkAndMutate(conditional);
    assertTrue(result.isSuccess());
    assertEquals(2, Bytes.toLong(result.getResult().getValue(F, Bytes.toBytes("n"))));
    List<CheckAndMutateResult> list =
        table.checkAndMutate(
            List.of(
                CheckAndMutate.newBuilder(row).ifEquals(F, Q, Q).build(put("a", "never")),
                CheckAndMutate.newBuilder(Bytes.toBytes("z"))
                    .ifNotExists(F, Q)
                    .build(put("z", "new"))));
    assertFalse(list.get(0).isSuccess());
    assertTrue(list.get(1).isSuccess());
    assertEquals("second", value(table.get(get("a"))));
  }

  @Test
  void rowMutationsReturnTheirCells() throws IOException {
    byte[] row = Bytes.toBytes("a");
    Result result =
        table.mutateRow(
            RowMutations.of(
                List.of(put("a", "1"), new Increment(row).addColumn(F, Bytes.toBytes("n"), 4))));
    assertEquals(4, Bytes.toLong(result.getValue(F, Bytes.toBytes("n"))));
    assertEquals("1", value(table.get(get("a"))));
  }

  private void load(int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      Put put = new Put(Bytes.toBytes(String.format("%c%04d", i < rows / 2 ? 'a' : 'z', i)));
      for (int c = 0; c < 3; c++) {
        put.addColumn(F, Bytes.toBytes("q" + c), Bytes.toBytes("value" + i));
      }
      puts.add(put);
    }
    table.put(puts);
  }

  private List<Result> scan(Scan scan) throws IOException {
    List<Result> results = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(results::add);
    }
    return results;
  }

  private static void assertRows(int rows, int cellsPerRow, List<Result> results) {
    assertEquals(rows, results.size());
    byte[] last = {};
    for (Result result : results) {
      assertTrue(Bytes.compareTo(last, result.getRow()) < 0, "rows are out of order");
      assertEquals(cellsPerRow, result.size());
      last = result.getRow();
    }
  }

  @Test
  void scansCrossRegionsInBothDirections() throws IOException {
    load(200);
    assertRows(200, 3, scan(new Scan()));
    assertRows(200, 3, scan(new Scan().setCaching(7)));
    List<Result> reversed = scan(new Scan().setReversed(true).setCaching(9));
    Collections.reverse(reversed);
    assertRows(200, 3, reversed);
    assertRows(
        50,
        3,
        scan(new Scan().withStartRow(Bytes.toBytes("a0050")).withStopRow(Bytes.toBytes("z0100"))));
  }

  @Test
  void limitsAndSmallRepliesLoseNothing() throws IOException {
    load(100);
    assertRows(13, 3, scan(new Scan().setLimit(13)));
    assertRows(63, 3, scan(new Scan().setLimit(63).setCaching(10)));
    assertRows(100, 3, scan(new Scan().setMaxResultSize(50)));
    assertRows(100, 3, scan(new Scan().setMaxResultSize(1000)));
    assertEquals(200, scan(new Scan().setBatch(2)).size());
    List<Result> partials = scan(new Scan().setAllowPartialResults(true).setMaxResultSize(50));
    assertEquals(300, partials.stream().mapToInt(Result::size).sum());
    assertEquals(0, low.openScanners.get());
    assertEquals(0, high.openScanners.get());
  }

  @Test
  void heartbeatsLoseNothing() throws IOException {
    load(40);
    low.scannersRunOutOfTime = true;
    high.scannersRunOutOfTime = true;
    assertRows(40, 3, scan(new Scan()));
    List<Result> withCursors = scan(new Scan().setNeedCursorResult(true));
    assertEquals(40, withCursors.stream().filter(result -> !result.isCursor()).count());
    assertTrue(withCursors.stream().anyMatch(Result::isCursor));
  }

  @Test
  void abandonedScannerIsClosed() throws IOException {
    load(100);
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(5))) {
      assertFalse(scanner.next().isEmpty());
      assertEquals(1, low.openScanners.get());
    }
    assertEquals(0, low.openScanners.get());
  }

  @Test
  void scanMetricsArrive() throws IOException {
    load(10);
    Scan scan = new Scan().setScanMetricsEnabled(true).setCaching(3);
    try (ResultScanner scanner = table.getScanner(scan)) {
      scanner.forEach(result -> assertFalse(result.isEmpty()));
      assertEquals(10, scanner.getScanMetrics().countOfRowsScanned.get());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.io.compress.SnappyCodec",
        "org.apache.hadoop.io.compress.GzipCodec",
        "org.apache.hadoop.io.compress.Lz4Codec"
      })
  void compressedCellBlocksWork(String codec) throws IOException {
    table.close();
    connection.close();
    Configuration conf = cluster.clientConfiguration();
    conf.set("hbase.client.rpc.compressor", codec);
    connect(conf);
    load(300);
    assertRows(300, 3, scan(new Scan().setCaching(100)));
    assertEquals(3, table.get(get("a0001")).size());
  }

  @Test
  void clientsWithoutCellBlocksWork() throws Exception {
    table.close();
    connection.close();
    Configuration conf = cluster.clientConfiguration();
    conf.set("hbase.client.default.rpc.codec", "");
    connect(conf);
    getSeesPut();
    table.delete(
        new ArrayList<>(List.of(new Delete(Bytes.toBytes("a")), new Delete(Bytes.toBytes("z")))));
    conditionsDecide();
    table.delete(new Delete(Bytes.toBytes("a")));
    table.delete(new Delete(Bytes.toBytes("z")));
    load(50);
    assertRows(50, 3, scan(new Scan().setMaxResultSize(200)));
  }

  @Test
  void lostWriteIsNotAcknowledged() throws Exception {
    low.completesItself = false;
    Thread writer =
        new Thread(() -> assertThrows(IOException.class, () -> table.put(put("a", "1"))));
    writer.start();
    while (low.lastToken == 0) {
      Thread.onSpinWait();
    }
    cluster.completions().complete(low.lastToken, 7);
    while (cluster.fatal() == null) {
      Thread.onSpinWait();
    }
    assertInstanceOf(EngineException.class, cluster.fatal());
    assertTrue(
        cluster.fatal().getMessage().endsWith("No space left on device"),
        cluster.fatal().getMessage());
    cluster.forgetFatal();
    connection.close();
    writer.join();
  }
}

package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.PiecesReply;
import org.grampus.compat.protocol.PiecesRequest;
import org.grampus.compat.protocol.SplitService;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.RowPiece;
import org.grampus.server.testkit.InjectedRegion;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** GrampusSplitService through an unmodified hbase-client. */
class SplitEndpointTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final int ROWS = 600;

  private LocalCluster cluster;
  private InjectedRegion low;
  private Connection connection;
  private Table table;
  private long buffersBefore;

  @BeforeEach
  void start() throws IOException {
    buffersBefore = PooledMemory.buffersInUse();
    cluster = new LocalCluster(new Configuration(false));
    low = cluster.addRegion("", "m");
    cluster.addRegion("m", "");
    connection = ConnectionFactory.createConnection(cluster.clientConfiguration());
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

  private static String row(int n) {
    return String.format("a%05d", n);
  }

  private void fill(int from, int to) throws IOException {
    Random random = new Random(from);
    byte[] value = new byte[100];
    List<Put> puts = new ArrayList<>();
    for (int n = from; n < to; n++) {
      random.nextBytes(value);
      byte[] family = n % 2 == 0 ? F : G;
      puts.add(new Put(Bytes.toBytes(row(n))).addColumn(family, F, value.clone()));
    }
    table.put(puts);
  }

  private PiecesReply ask(String row, long pieceBytes) throws IOException {
    return SplitService.getPieces(
        table.coprocessorService(Bytes.toBytes(row)), new PiecesRequest(pieceBytes));
  }

  private static long bytes(PiecesReply reply) {
    return reply.pieces().stream().mapToLong(PiecesReply.Piece::bytes).sum();
  }

  @Test
  void piecesAreThoseOfTheRegionWithTheRow() throws IOException {
    fill(0, ROWS);
    low.flush();
    fill(ROWS, 2 * ROWS);
    PiecesReply whole = ask("a", Long.MAX_VALUE);
    assertEquals(1, whole.pieces().size());
    assertEquals(row(0), whole.pieces().get(0).firstRow().toStringUtf8());
    assertTrue(bytes(whole) > 2 * ROWS * 100, whole.toString());
    PiecesReply cut = ask("b", bytes(whole) / 10);
    assertEquals(bytes(whole), bytes(cut));
    assertTrue(cut.pieces().size() >= 10, cut.toString());
    assertEquals("m", cut.endKey().toStringUtf8());
    List<RowPiece> engines = low.pieces(bytes(whole) / 10, 60_000);
    assertEquals(
        engines.stream().map(piece -> ByteString.copyFrom(piece.firstRow())).toList(),
        cut.pieces().stream().map(PiecesReply.Piece::firstRow).toList());
  }

  @Test
  void aRegionWithoutRowsHasNoPieces() throws IOException {
    assertEquals(new PiecesReply(List.of(), ByteString.EMPTY), ask("m", 1));
  }

  @Test
  void moreThanTwoCallsAtATimeAreToldToTryAgain() throws Exception {
    fill(0, 10);
    CountDownLatch running = new CountDownLatch(2);
    CountDownLatch gate = new CountDownLatch(1);
    low.beforePieces =
        () -> {
          running.countDown();
          assertDoesNotThrow(() -> assertTrue(gate.await(60, TimeUnit.SECONDS)));
        };
    Configuration impatient = new Configuration(cluster.clientConfiguration());
    impatient.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (Connection once = ConnectionFactory.createConnection(impatient);
        Table third = once.getTable(LocalCluster.TABLE)) {
      Future<PiecesReply> first = threads.submit(() -> ask("a", 1));
      Future<PiecesReply> second = threads.submit(() -> ask("b", 1));
      assertTrue(running.await(60, TimeUnit.SECONDS));
      PiecesRequest request = new PiecesRequest(1);
      IOException refused =
          assertThrows(
              IOException.class,
              () -> SplitService.getPieces(third.coprocessorService(Bytes.toBytes("m")), request));
      assertInstanceOf(CallQueueTooBigException.class, refused.getCause(), refused.toString());
      gate.countDown();
      assertEquals(10, first.get(60, TimeUnit.SECONDS).pieces().size());
      assertEquals(10, second.get(60, TimeUnit.SECONDS).pieces().size());
      assertEquals(
          0,
          SplitService.getPieces(third.coprocessorService(Bytes.toBytes("m")), request)
              .pieces()
              .size(),
          "they let go");
    } finally {
      gate.countDown();
      threads.shutdownNow();
    }
  }

  @Test
  void aCallThatFailsLetsGoAndOneHasTwoSecondsAtMost() throws IOException {
    fill(0, 10);
    low.beforePieces =
        () -> {
          throw new EngineException(ErrorKind.BAD_REQUEST, "refused by the test");
        };
    for (int n = 0; n < 5; n++) {
      assertThrows(DoNotRetryIOException.class, () -> ask("a", 1));
    }
    low.beforePieces = () -> {};
    assertEquals(10, ask("a", 1).pieces().size());
    assertTrue(low.piecesMillis > 0 && low.piecesMillis <= 2_000, low.piecesMillis + " ms");
  }

  @Test
  void piecesOfNoBytesAreRefused() {
    DoNotRetryIOException error = assertThrows(DoNotRetryIOException.class, () -> ask("a", 0));
    assertTrue(error.getMessage().contains("piece_bytes must be above 0"), error.getMessage());
  }
}

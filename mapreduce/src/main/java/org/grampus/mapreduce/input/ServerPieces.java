package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pieces as the servers of the regions know them, for one plan. Pieces only make splits equal, so
 * that whatever goes wrong is no error of the job: a region without an answer has no pieces, and is
 * cut by its keys. A server without the service is a stock HBase's, and no other is asked after it.
 */
final class ServerPieces implements PieceSource {
  /** How long a plan waits for the answers of all regions. */
  static final long PATIENCE_MILLIS = 5_000;

  /** Regions that are asked at a time. */
  static final int THREADS = 16;

  /** Errors after which no other region is asked: the servers are not well. */
  static final int FAILURES_MAX = 8;

  /** Regions of today that are asked for one of the list: it may be old, and they split. */
  private static final int ASKS_MAX = 64;

  /** An answer may have more bytes than the list says, by this factor: lists are old. */
  private static final long MORE_BYTES_FACTOR = 16;

  /** And by this sum, of rows in memory. */
  private static final long MORE_BYTES = 1L << 30;

  private static final Logger LOG = LoggerFactory.getLogger(ServerPieces.class);

  /**
   * What a region says.
   *
   * @param pieces of the region, as the server says them
   * @param end the first row behind the region; empty for the last one
   */
  @SuppressWarnings("ArrayRecordComponent") // a key is bytes, and no code compares these records
  record Answer(List<Piece> pieces, byte[] end) {}

  /** Asks the region that has a row. */
  @FunctionalInterface
  interface Service {
    Answer ask(byte[] row, long pieceBytes) throws IOException;
  }

  private final Service service;
  private final long patienceMillis;

  /** Why servers do not have the service, once that is known of one. */
  private final AtomicReference<Throwable> unknown = new AtomicReference<>();

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final AtomicInteger failures = new AtomicInteger();
  private final AtomicInteger answers = new AtomicInteger();
  private final AtomicInteger wanted = new AtomicInteger();

  /** Pieces of a service, for which a plan waits {@code patienceMillis}. */
  ServerPieces(Service service, long patienceMillis) {
    this.service = service;
    this.patienceMillis = patienceMillis;
  }

  /** The servers of a table, asked through a connection. */
  static ServerPieces of(Connection connection, TableName name) {
    // Made within the call: what the client's classes lack is then an error of the call.
    Service service = (row, pieceBytes) -> new TableService(connection, name).ask(row, pieceBytes);
    return new ServerPieces(service, PATIENCE_MILLIS);
  }

  @Override
  public List<List<Piece>> pieces(List<CutRegion> regions) throws IOException {
    wanted.addAndGet(regions.size());
    List<List<Piece>> pieces = new ArrayList<>();
    for (Optional<List<Piece>> answer :
        WaitingCalls.within(
            patienceMillis, THREADS, regions.size(), index -> of(regions.get(index)))) {
      pieces.add(answer.orElse(List.of()));
    }
    return pieces;
  }

  /** The pieces of a region; none when its server does not say them. */
  private List<Piece> of(CutRegion region) {
    if (unknown.get() != null || failures.get() >= FAILURES_MAX) {
      return List.of();
    }
    try {
      List<Piece> pieces = ask(region);
      answers.incrementAndGet();
      return pieces;
    } catch (UnknownProtocolException | LinkageError e) {
      unknown.compareAndSet(null, e);
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
      failures.incrementAndGet();
    }
    return List.of();
  }

  /** Asks one region after the other until the range ends: the client finds each by its row. */
  private List<Piece> ask(CutRegion of) throws IOException {
    KeyRange range = of.region().range();
    List<Piece> pieces = new ArrayList<>();
    byte[] row = range.start();
    for (int ask = 0; ask < ASKS_MAX; ask++) {
      Answer answer = service.ask(row, of.pieceBytes());
      byte[] end = answer.end();
      KeyRange part = KeyRange.of(row, end).intersect(range);
      CheckedPieces checked = new CheckedPieces(part, CheckedPieces.PIECES_MAX - pieces.size());
      answer.pieces().forEach(checked::add);
      pieces.addAll(checked.pieces());
      boolean isBehind = end.length > 0 && Bytes.compareTo(end, row) > 0 && range.contains(end);
      if (!isBehind || end.length > HConstants.MAX_ROW_LENGTH) {
        break;
      }
      row = end;
    }
    return believable(pieces, of.region());
  }

  private static List<Piece> believable(List<Piece> pieces, RegionPieces region)
      throws IOException {
    long bytes = pieces.stream().mapToLong(Piece::bytes).sum();
    long most = Math.min(region.bytes(), Long.MAX_VALUE / MORE_BYTES_FACTOR - MORE_BYTES);
    if (bytes > most * MORE_BYTES_FACTOR + MORE_BYTES) {
      throw new IOException(
          String.format(
              "the region %s has %d bytes, and its server says that it has %d",
              region.range(), region.bytes(), bytes));
    }
    return bytes == 0 ? List.of() : pieces; // pieces without bytes say nothing
  }

  /** Says in one line which regions a plan has cut by their keys, if it has any, and why. */
  void log(TableName table) {
    int without = wanted.get() - answers.get();
    if (without == 0) {
      return;
    }
    String which = without + " of " + wanted.get() + " regions of " + table;
    Throwable failed = failure.get();
    if (unknown.get() != null) {
      LOG.info("{} are cut by their keys: {}", which, unknown.get().toString());
    } else if (failed == null) {
      LOG.warn("{} are cut by their keys: no answer within {} ms", which, patienceMillis);
    } else {
      LOG.warn("{} are cut by their keys, after {} errors", which, failures.get(), failed);
    }
  }
}

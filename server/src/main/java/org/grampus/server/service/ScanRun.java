package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.ipc.CallerDisconnectedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Cursor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.NameInt64Pair;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MapReduceProtos.ScanMetrics;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineException;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.ScanCounts;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.grampus.engine.StopReason;
import org.grampus.server.env.Env;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.rpc.Call;

/**
 * One read from a scanner: asks the engine until a limit is reached, and says in the response what
 * a client must know to go on. An empty reply that promises more is always a heartbeat, because
 * clients take any other one for the end of the region and would lose rows.
 */
final class ScanRun {
  /** What a scan reads at most where it may not block. The engine has the same limit. */
  static final int LOOP_BYTES = 128 << 10;

  private static final long UNLIMITED_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** Requests for more are not guessed: clients of short ranges often set no number of rows. */
  private static final int GUESS_MAX_BYTES = (512 << 10) - RowReader.HEADROOM;

  private final Call call;
  private final ScanRequest request;
  private final OpenScanner scanner;
  private final ScannerRegistry scanners;
  private final ClientServiceConfig config;
  private final ScanInfo info = EngineScratch.get().scanInfo();
  private final ScanLimits limits = EngineScratch.get().scanLimits();
  private final boolean partials;
  private final boolean heartbeats;
  private final long maxBytes;
  private final long endNanos;
  private final boolean mayBlock;
  private ScanBuffer buffer;
  private boolean endOfRegion;
  private boolean filterDone;
  private StopReason stop = StopReason.RESULTS;
  private boolean reads;
  private boolean failed;
  private boolean losesPlace;
  private boolean wouldBlock;
  private boolean isGivenUp;
  private long readPoint;
  private int completeRows;
  private ScanCounts counts = ScanCounts.NONE;

  ScanRun(
      Call call,
      ScanRequest request,
      OpenScanner scanner,
      ScannerRegistry scanners,
      ClientServiceConfig config,
      boolean mayBlock) {
    this.call = call;
    this.mayBlock = mayBlock;
    this.request = request;
    this.scanner = scanner;
    this.scanners = scanners;
    this.config = config;
    partials = request.getClientHandlesPartials() && !scanner.filtersRows();
    heartbeats = request.getClientHandlesHeartbeats() && request.getClientHandlesPartials();
    long asked = scanner.scan().getMaxResultSize();
    long most =
        call.clientReadsCellBlocks()
            ? config.maxResultBytes()
            : Math.min(config.maxResultBytes(), Results.MAX_MESSAGE_BYTES);
    maxBytes = asked > 0 ? Math.min(asked, most) : most;
    endNanos = Env.nanos() + TimeUnit.MILLISECONDS.toNanos(budgetMillis());
  }

  private long budgetMillis() {
    return heartbeats ? ReadBudget.millis(call, config) : UNLIMITED_MILLIS;
  }

  /** Reads and fills the response; returns the cell block, which passes to the caller, or null. */
  ByteBuf run(ScanResponse.Builder response) throws IOException {
    int rows = rows(request);
    if (rows <= 0) {
      return readNothing(response);
    }
    reads = true;
    read(rows);
    isGivenUp = !mayBlock && !endsScan();
    if (isGivenUp) {
      return null;
    }
    reserveCarried();
    if (buffer.resultCount() > 0) {
      scanner.region().resultBytes().returned(buffer.resultCount(), buffer.cellBytes());
    }
    counts = scanner.countsUpTo(info.counts());
    // as HBase, which counts calls of its region scanner: one for each result, and an empty one
    scanner.region().counters().read(Math.max(1, buffer.resultCount()));
    scanner.region().counters().filtered(counts.rowsFiltered());
    checkDeadline();
    return fill(response);
  }

  /**
   * Whether the scan was given up: it may not block, and would have to, or does not end with this
   * request. Nothing of it is counted, and its reply must not be sent.
   */
  boolean isGivenUp() {
    return isGivenUp;
  }

  /** Whether nothing is left for a next request: a full output has left a result behind. */
  private boolean endsScan() {
    return !hasHitLimit()
        && stop != StopReason.OUTPUT_FULL
        && (endOfRegion || reachedRowLimit() || request.getCloseScanner());
  }

  /** Whether a limit of the event loop, or one of the client, has ended the last call. */
  private boolean hasHitLimit() {
    return wouldBlock
        || failed
        || stop == StopReason.PAUSED
        || stop == StopReason.SIZE
        || stop == StopReason.TIME
        || (stop == StopReason.OUTPUT_FULL && info.neededBytes() > LOOP_BYTES);
  }

  /** Without memory for what the next call would begin with the reply goes out, and is the last. */
  private void reserveCarried() throws CallQueueTooBigException {
    long bytes = stop == StopReason.OUTPUT_FULL ? info.neededBytes() : 0;
    losesPlace = failed || !scanners.reserveCarried(scanner, bytes);
    if (losesPlace && buffer.resultCount() == 0) {
      throw new CallQueueTooBigException(
          "No memory now for " + bytes + " bytes of a row that the next call returns");
    }
  }

  /**
   * Whether the scanner cannot go on behind this reply. The client opens another behind the last
   * result.
   */
  boolean losesPlace() {
    return losesPlace;
  }

  /** A call that wants no rows; the one that opens the scanner learns its read point. */
  private ByteBuf readNothing(ScanResponse.Builder response) {
    boolean ended = false;
    if (!request.hasScannerId()) {
      buffer = new ScanBuffer(call.connection().allocator(), 0, false, call.memory());
      next(0, false);
      response.setMvccReadPoint(readPoint);
      ended = filterDone;
    }
    response.setMoreResultsInRegion(true).setMoreResults(!ended).setStale(false);
    return null;
  }

  private void read(int rows) throws IOException {
    buffer = firstBuffer();
    boolean continues = false;
    do {
      try {
        next(rows - buffer.resultCount(), continues);
      } catch (EngineException e) {
        if (e.kind() != ErrorKind.BUSY || buffer.resultCount() == 0) {
          throw e;
        }
        failed = true; // the client gets what there is
        break;
      }
      if (!mayBlock && hasHitLimit()) {
        return;
      }
      continues = stop != StopReason.SIZE && stop != StopReason.TIME;
      if (stop == StopReason.OUTPUT_FULL
          && !isComplete(rows)
          && !buffer.grow(Math.max(info.neededBytes(), ScanBuffer.FIRST_BYTES))) {
        break; // the client gets what there is and asks for the rest
      } else if (stop == StopReason.PAUSED || stop == StopReason.OUTPUT_FULL) {
        checkClient();
      }
    } while (!isComplete(rows));
    if (endOfRegion) {
      buffer.clearLastPartial();
    }
    long expected = withMargin(buffer.cellBytes());
    scanner.expectedBytes((int) Math.min(expected, maxBytes));
  }

  /** Sized by the previous call, else by a guess, since growing a buffer copies it. */
  private ScanBuffer firstBuffer() {
    int known = scanner.expectedBytes();
    int expected = Math.max(known > 0 ? known : guess(), ScanBuffer.FIRST_BYTES);
    return new ScanBuffer(call.connection().allocator(), expected, known == 0, call.memory());
  }

  /** Average size of the region's results times the number requested; 0 above the maximum. */
  private int guess() {
    long guess = withMargin(scanner.region().resultBytes().of(resultsMax(request)));
    return guess <= Math.min(maxBytes, GUESS_MAX_BYTES) ? (int) guess : 0;
  }

  /** The most results that a reply may have. */
  static int resultsMax(ScanRequest request) {
    int limit = request.getLimitOfRows();
    int rows = rows(request);
    return limit > 0 ? Math.min(rows, limit) : rows;
  }

  private static int rows(ScanRequest request) {
    if (request.hasNumberOfRows()) {
      return request.getNumberOfRows();
    }
    return request.getCloseScanner() ? 0 : 1;
  }

  private static long withMargin(long bytes) {
    return bytes + bytes / 8;
  }

  /** A client that is gone, or has given up, does not keep a scan going (RegionScannerImpl). */
  private void checkClient() throws IOException {
    if (!call.connection().isOpen()) {
      throw new CallerDisconnectedException(
          "Aborting on region "
              + scanner.region().info().getRegionNameAsString()
              + ", since caller disconnected");
    }
    checkDeadline();
  }

  private void checkDeadline() throws TimeoutIOException {
    if (call.isPastDeadline()) {
      throw new TimeoutIOException("Client deadline exceeded, cannot return results");
    }
  }

  private void next(int resultsLeft, boolean continues) {
    call.searchTime().restart(EngineScanner.PAUSE_MILLIS);
    int limitOfRows = request.getLimitOfRows();
    limits
        .count(
            Math.min(resultsLeft, ScanInfo.MAX_RESULTS),
            limitOfRows > 0 ? limitOfRows - completeRows : 0)
        .size(maxBytes)
        .time(Math.max(TimeUnit.NANOSECONDS.toMillis(endNanos - Env.nanos()), 1))
        .flags(flags() | (continues ? ScanLimits.CONTINUES : 0));
    long result = scanner.engine().next(limits, buffer.target(), info);
    wouldBlock = !mayBlock && CallStatus.status(result) == CallStatus.WOULD_BLOCK;
    if (wouldBlock) {
      return;
    }
    if (CallStatus.status(result) != CallStatus.DONE) {
      throw new EngineException(ErrorKind.BUG, "next returned status " + CallStatus.status(result));
    }
    buffer.add(info);
    stop = info.stopReason();
    endOfRegion = info.endOfRegion();
    filterDone = info.filterAllRemaining();
    readPoint = info.readPoint();
    completeRows += info.completeRows();
  }

  private int flags() {
    return (partials ? ScanLimits.PARTIALS_ALLOWED : 0)
        | (heartbeats ? ScanLimits.HEARTBEATS_ALLOWED : 0);
  }

  private boolean isComplete(int rows) {
    if (buffer.resultCount() >= rows || endOfRegion || reachedRowLimit()) {
      return true;
    }
    return switch (stop) {
      case END, ROWS -> true;
        // without a heartbeat an empty reply may not promise more, so the scan goes on
      case SIZE, TIME -> heartbeats || buffer.resultCount() > 0;
      case RESULTS, OUTPUT_FULL, PAUSED -> false;
    };
  }

  private boolean reachedRowLimit() {
    return request.getLimitOfRows() > 0 && completeRows >= request.getLimitOfRows();
  }

  private ByteBuf fill(ScanResponse.Builder response) throws IOException {
    boolean empty = buffer.resultCount() == 0;
    response.setMoreResultsInRegion(!endOfRegion);
    response.setMoreResults(!(reachedRowLimit() || (filterDone && empty)));
    if (!request.hasScannerId()) {
      response.setMvccReadPoint(readPoint);
    }
    if (!endOfRegion && (stop == StopReason.TIME || (empty && stop != StopReason.ROWS))) {
      response.setHeartbeatMessage(true);
      addCursor(response);
    }
    if (request.getTrackScanMetrics()) {
      response.setScanMetrics(metrics());
    }
    response.setStale(false);
    if (empty) {
      return null;
    }
    if (!call.clientReadsCellBlocks()) {
      buffer.copyInto(response, EngineScratch.get().cursor());
      return null;
    }
    buffer.countInto(response);
    return buffer.cells().retain();
  }

  private void addCursor(ScanResponse.Builder response) {
    byte[] row = info.lastRow();
    if (scanner.scan().getNeedCursorResult() && row.length > 0) {
      response.setCursor(Cursor.newBuilder().setRow(UnsafeByteOperations.unsafeWrap(row)));
    }
  }

  private ScanMetrics metrics() {
    return ScanMetrics.newBuilder()
        .addMetrics(metric("ROWS_SCANNED", counts.rowsScanned()))
        .addMetrics(metric("ROWS_FILTERED", counts.rowsFiltered()))
        .addMetrics(metric("BLOCK_BYTES_SCANNED", counts.bytesScanned()))
        .addMetrics(metric("FS_READ_TIME", 0))
        .build();
  }

  private static NameInt64Pair metric(String name, long value) {
    return NameInt64Pair.newBuilder().setName(name).setValue(value).build();
  }

  /** Counts the call, whatever came of it but a scan given up; before {@link #release}. */
  void count(Operations operations) {
    if (isGivenUp) {
      return;
    }
    if (scanner.readsWholeRegion()) {
      operations.fullScan();
    }
    call.at(scanner::place);
    call.addScannedBytes(counts.bytesScanned());
    if (reads) {
      operations.scanned(
          scanner.region(),
          new OperationObserver.ScannedCall(
              call.ranNanos(), buffer == null ? 0 : buffer.cellBytes(), counts.bytesScanned()));
    }
  }

  /** Lets the results go, and the memory of a reply that is given up; after run, whatever came. */
  void release() {
    if (buffer != null) {
      buffer.cells().release();
    }
    if (isGivenUp) {
      call.memory().release(MemoryUse.REPLIES, call.memory().held(MemoryUse.REPLIES));
    }
  }
}

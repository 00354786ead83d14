package org.grampus.mapreduce.snapshot;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Progressable;
import org.apache.hadoop.util.Time;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.NativeFrozenScan;
import org.grampus.engine.ScanCounts;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;

/**
 * The results of a scan of one frozen region, as a server's client gets them: without tags, cells
 * of one call over one array. One thread.
 */
public final class FrozenResults implements Closeable {
  /**
   * Cells that one call returns, in bytes as HBase counts them: what a processor's cache holds, and
   * less than what collectors treat as a large array.
   */
  private static final long CALL_BYTES = 256L << 10;

  private static final int CALL_MILLIS = 1000;

  private final Progressable progress;
  private final NativeFrozenScan scan;
  private final ScanInfo info = new ScanInfo();
  private final ScanLimits limits =
      new ScanLimits()
          .count(ScanInfo.MAX_RESULTS, 0)
          .size(CALL_BYTES)
          .time(CALL_MILLIS)
          .flags(ScanLimits.HEARTBEATS_ALLOWED); // a filter may let nothing through for long
  private ByteBuffer out;
  private byte[] cells = new byte[0];
  private int nextCell;
  private int nextResult;
  private int results;
  private boolean ended;
  private long bytes;
  private long engineNanos;

  private FrozenResults(NativeFrozenScan scan, ByteBuffer out, Progressable progress) {
    this.scan = scan;
    this.out = out;
    this.progress = progress;
  }

  /**
   * Begins a scan.
   *
   * @param out a direct buffer for one call's cells, which the results own until they are closed
   * @param nowMillis the clock of times to live, in ms since 1970
   * @param progress told after each call that the task is alive
   * @throws IOException when the scan asks for what the engine does not do
   */
  public static FrozenResults open(
      NativeFrozenRegion region,
      TableDescriptor table,
      Scan scan,
      long nowMillis,
      ByteBuffer out,
      Progressable progress)
      throws IOException {
    return new FrozenResults(FrozenScans.begin(region, table, scan, nowMillis), out, progress);
  }

  /** The next row, or the next batch of a row if the scan has batches; null at the end. */
  public Result next() throws IOException {
    while (nextResult == results) {
      if (ended) {
        return null;
      }
      fill();
    }
    int counted = info.result(nextResult++);
    boolean last = ended && nextResult == results; // there is no more, whatever the flag says
    boolean mayHaveMore = !last && (counted & ScanInfo.PARTIAL_BIT) != 0;
    return result(counted & ~ScanInfo.PARTIAL_BIT, mayHaveMore);
  }

  private Result result(int count, boolean mayHaveMore) {
    Cell[] row = new Cell[count];
    for (int i = 0; i < count; i++) {
      int length = Bytes.toInt(cells, nextCell);
      row[i] = new FrozenCell(cells, nextCell + Integer.BYTES, length);
      nextCell += Integer.BYTES + length;
    }
    return Result.create(row, null, false, mayHaveMore);
  }

  private void fill() throws IOException {
    try {
      long status = call();
      if (CallStatus.status(status) == CallStatus.NEED_BYTES) {
        grow(Math.max(Integer.toUnsignedLong(CallStatus.bytes(status)), out.capacity() + 1L));
        return;
      }
      take();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("a scan of a snapshot failed", e);
    } finally {
      progress.progress();
    }
  }

  private long call() {
    long begun = Time.monotonicNowNanos();
    try {
      return scan.next(limits, out, info);
    } finally {
      engineNanos += Time.monotonicNowNanos() - begun;
    }
  }

  private void take() throws IOException {
    results = info.resultCount();
    nextResult = 0;
    nextCell = 0;
    cells = new byte[info.cellBytes()];
    bytes += cells.length;
    out.get(out.position(), cells);
    ended = info.endOfRegion();
  }

  /** Doubles at least, so that a row is copied a bounded number of times. */
  private void grow(long needed) throws IOException {
    if (needed > Integer.MAX_VALUE) {
      throw new IOException(
          "a row of "
              + needed
              + " bytes is too large for a job; scan with a batch or fewer columns");
    }
    long doubled = Math.max(needed, 2L * out.capacity());
    out = ByteBuffer.allocateDirect((int) Math.min(doubled, Integer.MAX_VALUE));
  }

  /** The buffer, which may have grown; for the next results of the same task. */
  public ByteBuffer buffer() {
    return out;
  }

  /**
   * Whether the scan ends with this region: its filter has ended without a result, which a server
   * tells its client. After a result the next region begins with the filter anew. At the end.
   */
  public boolean endsScan() {
    return info.filterAllRemaining() && bytes == 0;
  }

  /** What the scan has looked at so far. */
  public ScanCounts counts() {
    return info.counts();
  }

  /** How long the engine has worked on the results so far, in ns. */
  public long engineNanos() {
    return engineNanos;
  }

  /** Bytes of the cells of all results so far. */
  public long bytes() {
    return bytes;
  }

  @Override
  public void close() {
    scan.close();
  }
}

package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.grampus.engine.StopReason;

/** A scanner that stops early when its region is told so; see {@link InjectedRegion}. */
final class InjectedScanner implements EngineScanner {
  /** One call in this number is not stopped. */
  private static final int TIMEOUT_ROUND = 3;

  private final InjectedRegion region;
  private final EngineScanner scanner;
  private final ScanLimits own = new ScanLimits();
  private int timedCalls;
  private boolean closed;

  InjectedScanner(InjectedRegion region, EngineScanner scanner) {
    this.region = region;
    this.scanner = scanner;
  }

  @Override
  public long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
    region.beforeNext.run();
    boolean heartbeats = (limits.flags() & ScanLimits.HEARTBEATS_ALLOWED) != 0;
    if (region.scannersPause) {
      return stopped(StopReason.PAUSED, limits, out, info);
    }
    if (!region.scannersRunOutOfTime || !heartbeats) {
      return scanner.next(limits, out, info);
    }
    if (++timedCalls % TIMEOUT_ROUND != 0) {
      return stopped(StopReason.TIME, limits, out, info);
    }
    return scanner.next(limited(limits, Math.min(limits.results(), 1)), out, info);
  }

  /** A call that the engine answers without a result, and for another reason than it says. */
  private long stopped(StopReason reason, ScanLimits limits, ByteBuffer out, ScanInfo info) {
    long result = scanner.next(limited(limits, 0), out, info);
    if (!info.endOfRegion()) {
      info.buffer().put(ScanInfo.STOP_REASON, (byte) reason.code());
    }
    return result;
  }

  private ScanLimits limited(ScanLimits limits, int results) {
    return own.count(results, limits.rows())
        .size(limits.sizeBytes())
        .time(limits.timeMillis())
        .flags(limits.flags());
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
  public synchronized void close() {
    scanner.close();
    if (!closed) {
      closed = true;
      region.openScanners.decrementAndGet();
    }
  }
}

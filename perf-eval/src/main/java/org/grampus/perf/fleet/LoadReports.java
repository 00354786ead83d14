package org.grampus.perf.fleet;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;

/**
 * Reports the load of stubs at an interval, and counts what became of each report. A few threads
 * send for all stubs: one whose turn has come waits for a thread, and its report is late then. Any
 * thread.
 */
final class LoadReports implements AutoCloseable {
  private static final int REPORTERS = 4;

  private final Master master;
  private final long intervalMillis;
  private final AtomicReference<String> failure;
  private final LongSupplier nanoClock;
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(REPORTERS);
  private final AtomicLong taken = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final AtomicLong missed = new AtomicLong();

  /** Who takes reports. */
  interface Master {
    /** Returns once it has taken a report; throws when it takes none now. */
    void take(RegionServerReportRequest report) throws IOException;
  }

  /**
   * For stubs that are added.
   *
   * @param intervalMillis from one report of a stub to its next, in milliseconds
   * @param failure gets what no report may end with, unless something is there
   * @param nanoClock as {@link System#nanoTime}
   */
  LoadReports(
      Master master, long intervalMillis, AtomicReference<String> failure, LongSupplier nanoClock) {
    this.master = master;
    this.intervalMillis = intervalMillis;
    this.failure = failure;
    this.nanoClock = nanoClock;
  }

  /** Reports the load of one more stub until it dies, the first time after {@code delayMillis}. */
  @SuppressWarnings("FutureReturnValueIgnored") // what a report throws is kept in failure
  void add(StubServer server, long delayMillis) {
    AtomicLong dueNanos = new AtomicLong(nanoClock.getAsLong() + nanos(delayMillis));
    threads.scheduleAtFixedRate(
        () -> report(server, dueNanos.getAndAdd(nanos(intervalMillis))),
        delayMillis,
        intervalMillis,
        TimeUnit.MILLISECONDS);
  }

  private static long nanos(long millis) {
    return TimeUnit.MILLISECONDS.toNanos(millis);
  }

  /** Sends a report whose turn came at {@code dueNanos}. */
  void report(StubServer server, long dueNanos) {
    if (!server.isAlive()) {
      return;
    }
    long now = System.currentTimeMillis();
    try {
      master.take(
          RegionServerReportRequest.newBuilder()
              .setServer(ProtobufUtil.toServerName(server.name()))
              .setLoad(server.load(now - intervalMillis, now))
              .build());
      taken.incrementAndGet();
      if (nanoClock.getAsLong() - dueNanos > nanos(intervalMillis)) {
        late.incrementAndGet();
      }
    } catch (IOException e) {
      missed.incrementAndGet(); // a master that starts answers so; the next one follows
    } catch (RuntimeException | Error e) {
      failure.compareAndSet(null, "a report failed: " + e);
    }
  }

  /** What has become of reports so far. */
  ReportCounts counts() {
    return new ReportCounts(taken.get(), late.get(), missed.get());
  }

  /** Ends without waiting for a report under way. */
  @Override
  public void close() {
    threads.shutdownNow();
  }
}

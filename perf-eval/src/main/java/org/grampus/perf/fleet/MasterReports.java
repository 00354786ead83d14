package org.grampus.perf.fleet;

import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.server.cluster.MasterLink;
import org.grampus.server.cluster.TransitionReporter;
import org.grampus.server.cluster.TransitionReporter.Origin;

/**
 * What stubs tell the master of orders that are done: a call for each region, as a region server
 * makes it. Any thread.
 */
final class MasterReports implements Reports, AutoCloseable {
  /** Of a server that has opened an empty region. */
  private static final long OPEN_SEQUENCE = 2;

  /** As many as a few busy region servers open at once. */
  private static final int THREADS = 32;

  /** In errors, where no server is named. */
  private static final ServerName ANY = ServerName.valueOf(FreePorts.HOST, 1, 1);

  private final MasterLink master;
  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final AtomicLong opened = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();

  /** A report, which may be interrupted by the end of the fleet. */
  private interface Report {
    boolean send() throws InterruptedException;
  }

  MasterReports(MasterLink master) {
    this.master = master;
  }

  @Override
  public void opened(StubServer server, RegionInfo region, Origin origin) {
    server.open(region);
    submit(() -> reporter(server).opened(region, OPEN_SEQUENCE, origin));
    opened.incrementAndGet();
  }

  @Override
  public void closed(StubServer server, RegionInfo region, Origin origin) {
    server.close(region);
    submit(() -> reporter(server).closed(region, origin));
  }

  @Override
  public void refused(Origin origin) {
    submit(
        () -> {
          new TransitionReporter(master, ANY)
              .procedureDone(origin, new IOException("a stub has no files"));
          return false;
        });
  }

  private TransitionReporter reporter(StubServer server) {
    return new TransitionReporter(master, server.name());
  }

  private void submit(Report report) {
    threads.execute(
        () -> {
          try {
            if (!report.send()) {
              refused.incrementAndGet();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the fleet ends
          }
        });
  }

  /** Orders to open a region that were taken. */
  long openedRegions() {
    return opened.get();
  }

  /** Orders that failed, and reports that the master did not accept. */
  long refusals() {
    return refused.get();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}

package org.grampus.server.cluster;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.YouAreDeadException;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegionServerStatusProtos.RegionServerReportRequest;
import org.grampus.server.env.Env;
import org.grampus.server.region.LoadReport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the server's load at an interval. A master that calls us dead has given our regions away:
 * that is fatal.
 */
public final class Heartbeat {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeat.class);

  private final MasterLink master;
  private final ServerName server;
  private final LoadReport report;
  private final FatalHandler fatal;
  private final long intervalMillis;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "grampus-heartbeat");

  /** A heartbeat that begins with {@link #start}. */
  public Heartbeat(
      MasterLink master,
      ServerName server,
      LoadReport report,
      FatalHandler fatal,
      long intervalMillis) {
    this.master = master;
    this.server = server;
    this.report = report;
    this.fatal = fatal;
    this.intervalMillis = intervalMillis;
    thread.setDaemon(true);
  }

  /** Begins to report. */
  public void start() {
    thread.start();
  }

  private void run() {
    long last = Env.millis();
    try {
      do {
        long now = Env.millis();
        report(last, now);
        last = now;
      } while (!stop.await(intervalMillis, TimeUnit.MILLISECONDS));
    } catch (YouAreDeadException e) {
      fatal.abort("the master has declared this server dead", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Error e) {
      fatal.abort("the reports to the master have ended", e);
    }
  }

  private void report(long from, long to) throws YouAreDeadException {
    try {
      RegionServerReportRequest request =
          RegionServerReportRequest.newBuilder()
              .setServer(ProtobufUtil.toServerName(server))
              .setLoad(report.server(from, to))
              .build();
      master.call(stub -> stub.regionServerReport(null, request));
    } catch (YouAreDeadException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error(
          "a report to the master failed unexpectedly, the next one follows in {} ms",
          intervalMillis,
          e);
    } catch (IOException e) {
      LOG.info(
          "the master did not take a report, the next one follows in {} ms: {}",
          intervalMillis,
          e.toString());
    }
  }

  /** Stops reporting and waits for a report under way. */
  public void close() throws InterruptedException {
    stop.countDown();
    thread.interrupt();
    thread.join(TimeUnit.SECONDS.toMillis(5));
  }
}

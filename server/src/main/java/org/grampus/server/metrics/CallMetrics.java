package org.grampus.server.metrics;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSourceImpl;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallObserver;

/**
 * What is counted with each call: HBase's bean {@code sub=IPC}, whose counters and histograms take
 * neither a lock nor memory. Times are whole milliseconds, as HBase's. Any thread.
 */
public final class CallMetrics implements CallObserver, AutoCloseable {
  private static final String NAME = "RegionServer";

  private final RpcGauges gauges = new RpcGauges();
  private final RequestTotals totals = new RequestTotals();
  private final MetricsHBaseServerSourceImpl source;

  private CallMetrics() {
    source =
        new MetricsHBaseServerSourceImpl(
            NAME,
            "Metrics about HBase Server IPC",
            NAME.toLowerCase(Locale.ROOT),
            NAME + ",sub=IPC",
            gauges);
  }

  /**
   * Publishes the bean. To be opened before anything else of a process has metrics: HBase names the
   * process after its first source.
   */
  public static CallMetrics open() {
    return new CallMetrics();
  }

  /** The server whose queues and handlers are shown. */
  public void server(RpcServer rpc) {
    gauges.server(rpc);
  }

  RequestTotals totals() {
    return totals;
  }

  private static int millis(long nanos) {
    return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  @Override
  public void connected() {
    source.authorizationSuccess(); // HBase counts it for every client, also where none is asked
  }

  @Override
  public void finished(Call call, Throwable error) {
    totals.add(call);
    source.receivedBytes(call.requestBytes());
    source.sentBytes(call.replyBytes());
    if (error != null) {
      RpcExceptions.count(error, source); // HBase has times and sizes of calls that succeed
      return;
    }
    long total = call.endedNanos() - call.receivedNanos();
    source.dequeuedCall(millis(call.waitedNanos()));
    source.processedCall(millis(total - call.waitedNanos()));
    source.queuedAndProcessedCall(millis(total));
    source.receivedRequest(call.requestBytes());
    source.sentResponse(call.replyBytes());
  }

  @Override
  public void dropped(Call call) {
    if (call.isPastDeadline()) {
      source.callTimedOut();
    }
    totals.add(call);
  }

  @Override
  public void refused(Throwable error) {
    RpcExceptions.count(error, source);
  }

  /** Takes the bean out. */
  @Override
  public void close() {
    Sources.remove(source);
  }
}

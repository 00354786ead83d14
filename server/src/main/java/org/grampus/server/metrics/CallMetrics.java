package org.grampus.server.metrics;

import java.util.Locale;
import org.apache.hadoop.hbase.ipc.MetricsHBaseServerSourceImpl;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallObserver;

/**
 * What is counted with each call: HBase's bean {@code sub=IPC}, whose histograms and counters of
 * bytes get many calls at a time ({@link CallBatch}), those that have ended before the bean is
 * shown. Times are whole milliseconds, as HBase's. Any thread.
 */
public final class CallMetrics implements CallObserver, AutoCloseable {
  private static final String NAME = "RegionServer";

  private final RpcGauges gauges = new RpcGauges();
  private final RequestTotals totals = new RequestTotals();
  private final MetricsHBaseServerSourceImpl source;
  private final Stripes<CallBatch> batches;

  private CallMetrics() {
    source = new Source(gauges);
    batches = new Stripes<>(() -> new CallBatch(source));
  }

  /** HBase's, with all that has ended. */
  private final class Source extends MetricsHBaseServerSourceImpl {
    Source(RpcGauges gauges) {
      super(
          NAME,
          "Metrics about HBase Server IPC",
          NAME.toLowerCase(Locale.ROOT),
          NAME + ",sub=IPC",
          gauges);
    }

    @Override
    public void getMetrics(MetricsCollector collector, boolean all) {
      try {
        handOver();
      } finally {
        super.getMetrics(collector, all);
      }
    }
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

  /** How many calls of clients and administrators there were: {@code totalRequestCount}. */
  public long requests() {
    return totals.all();
  }

  RequestTotals totals() {
    return totals;
  }

  private void handOver() {
    Stripes<CallBatch> all = batches;
    if (all != null) { // HBase's constructor registers the source, which may be asked at once
      all.forEach(CallBatch::handOver);
    }
  }

  @Override
  public void connected() {
    source.authorizationSuccess(); // HBase counts it for every client, also where none is asked
  }

  @Override
  public void finished(Call call, Throwable error) {
    totals.add(call);
    if (error != null) {
      source.receivedBytes(call.requestBytes());
      source.sentBytes(call.replyBytes());
      RpcExceptions.count(error, source); // HBase has times and sizes of calls that succeed
      return;
    }
    long total = call.endedNanos() - call.receivedNanos();
    batches
        .mine()
        .add(
            Millis.of(call.waitedNanos()),
            Millis.of(total - call.waitedNanos()),
            Millis.of(total),
            call.requestBytes(),
            call.replyBytes());
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

package org.grampus.server.trace;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Version;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TracingProtos.RPCTInfo;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes;
import org.apache.hadoop.hbase.trace.HBaseSemanticAttributes.RpcSystem;
import org.grampus.server.env.Env;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallObserver;

/**
 * Spans of calls as HBase sends and names them: {@code RpcServer.process}, a child of the client's
 * span, from arrival to reply, and within it one with the method's name while the call ran. Both
 * are made when the call has ended, with the times that it has anyway: a call that runs on several
 * threads needs to carry no context. Any thread.
 */
public final class CallSpans implements CallObserver {
  /** How HBase names what its spans come from. */
  private static final String INSTRUMENTATION = "org.apache.hbase";

  /** The package of all of HBase's services. */
  private static final String PACKAGE = "hbase.pb.";

  private final OpenTelemetry telemetry;
  private final Tracer tracer;

  CallSpans(OpenTelemetry telemetry) {
    this.telemetry = telemetry;
    this.tracer = telemetry.getTracer(INSTRUMENTATION, Version.version);
  }

  /** Spans for an agent or another consumer in this process; none, and no cost, without. */
  public static List<CallObserver> ofProcess() {
    OpenTelemetry telemetry = GlobalOpenTelemetry.get();
    Tracer tracer = telemetry.getTracer(INSTRUMENTATION, Version.version);
    boolean taken = tracer.getClass() != OpenTelemetry.noop().getTracer("").getClass();
    return taken ? List.of(new CallSpans(telemetry)) : List.of();
  }

  @Override
  public void finished(Call call, Throwable error) {
    long ended = endedEpochNanos(call.endedNanos());
    long received = ended - (call.endedNanos() - call.receivedNanos());
    Context parent = parent(call.header().getTraceInfo());
    Span process = start("RpcServer.process", parent, received).startSpan();
    if (process.isRecording()) { // it may not be one of those that are sampled
      run(call, error, parent.with(process), ended);
    }
    end(process, error, ended);
  }

  @Override
  public void dropped(Call call) {
    long now = Env.nanos();
    long ended = endedEpochNanos(now);
    Context parent = parent(call.header().getTraceInfo());
    Span process =
        start("RpcServer.process", parent, ended - (now - call.receivedNanos())).startSpan();
    if (call.isPastDeadline()) {
      process.addEvent("Call deadline exceeded", ended, TimeUnit.NANOSECONDS);
    }
    end(process, null, ended);
  }

  /** The span of the run, which ends with the reply; without waits, as the call's own time. */
  private void run(Call call, Throwable error, Context parent, long ended) {
    String service = PACKAGE + call.connection().service().name();
    String method = call.method().name();
    long ran = call.endedNanos() - call.receivedNanos() - call.waitedNanos();
    Span span =
        start(service + "/" + method, parent, ended - ran)
            .setAttribute(HBaseSemanticAttributes.RPC_SYSTEM, RpcSystem.HBASE_RPC.name())
            .setAttribute(HBaseSemanticAttributes.RPC_SERVICE, service)
            .setAttribute(HBaseSemanticAttributes.RPC_METHOD, method)
            .startSpan();
    end(span, error, ended);
  }

  private SpanBuilder start(String name, Context parent, long epochNanos) {
    return tracer
        .spanBuilder(name)
        .setParent(parent)
        .setSpanKind(SpanKind.SERVER)
        .setStartTimestamp(epochNanos, TimeUnit.NANOSECONDS);
  }

  private static void end(Span span, Throwable error, long epochNanos) {
    if (error == null) {
      span.setStatus(StatusCode.OK);
    } else {
      span.recordException(error);
      span.setStatus(StatusCode.ERROR);
    }
    span.end(epochNanos, TimeUnit.NANOSECONDS);
  }

  /** The time of day when a call ended, which was a moment ago. */
  private static long endedEpochNanos(long endedNanos) {
    return TimeUnit.MILLISECONDS.toNanos(Env.millis()) - (Env.nanos() - endedNanos);
  }

  private Context parent(RPCTInfo info) {
    return telemetry
        .getPropagators()
        .getTextMapPropagator()
        .extract(Context.root(), info, Headers.INSTANCE);
  }

  /** What a client sends of its span. */
  private enum Headers implements TextMapGetter<RPCTInfo> {
    INSTANCE;

    @Override
    public Iterable<String> keys(RPCTInfo info) {
      return info.getHeadersMap().keySet();
    }

    @Override
    public String get(RPCTInfo info, String key) {
      return info == null ? null : info.getHeadersMap().get(key);
    }
  }
}

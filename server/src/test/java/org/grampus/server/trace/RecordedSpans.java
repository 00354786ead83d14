package org.grampus.server.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.ContextPropagators;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/** OpenTelemetry that keeps the spans that have ended; its SDK is no dependency. Any thread. */
final class RecordedSpans implements OpenTelemetry {
  private final AtomicLong ids = new AtomicLong();
  private final List<Recorded> ended = new CopyOnWriteArrayList<>();

  /**
   * A span that has ended.
   *
   * @param calls what was set, by the method's name; for attributes by their key
   */
  record Recorded(String name, SpanContext context, SpanContext parent, Map<String, Object> calls) {
    long nanos(String name) {
      return (long) calls.get(name);
    }
  }

  List<Recorded> ended() {
    return ended;
  }

  @Override
  public TracerProvider getTracerProvider() {
    return new TracerProvider() {
      @Override
      public Tracer get(String instrumentation) {
        return RecordedSpans.this::builder;
      }

      @Override
      public Tracer get(String instrumentation, String version) {
        return get(instrumentation);
      }
    };
  }

  @Override
  public ContextPropagators getPropagators() {
    return ContextPropagators.create(W3CTraceContextPropagator.getInstance());
  }

  private SpanBuilder builder(String name) {
    Map<String, Object> calls = new ConcurrentHashMap<>();
    return (SpanBuilder)
        Proxy.newProxyInstance(
            SpanBuilder.class.getClassLoader(),
            new Class<?>[] {SpanBuilder.class},
            (builder, method, args) -> {
              if (method.getName().equals("startSpan")) {
                return span(name, calls);
              }
              note(calls, method.getName(), args);
              return builder;
            });
  }

  /** The first argument by the method's name; of two for an attribute the second by the first. */
  private static void note(Map<String, Object> calls, String method, Object[] args) {
    if (args == null) {
      calls.put(method, "");
    } else if (method.equals("setAttribute")) {
      calls.put(args[0].toString(), args[1]);
    } else {
      calls.put(method, args[0]);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the caller of makeCurrent closes the scope
  private Span span(String name, Map<String, Object> calls) {
    Span above = Span.fromContext((Context) calls.get("setParent"));
    String trace =
        above.getSpanContext().isValid()
            ? above.getSpanContext().getTraceId()
            : "0000000000000000000000000000000a";
    SpanContext own =
        SpanContext.create(
            trace,
            String.format("%016x", ids.incrementAndGet()),
            TraceFlags.getSampled(),
            TraceState.getDefault());
    return (Span)
        Proxy.newProxyInstance(
            Span.class.getClassLoader(),
            new Class<?>[] {Span.class},
            (span, method, args) -> {
              switch (method.getName()) {
                case "isRecording":
                  return true;
                case "getSpanContext":
                  return own;
                case "storeInContext":
                  return Span.wrap(own).storeInContext((Context) args[0]);
                case "makeCurrent":
                  return Context.current().with(Span.wrap(own)).makeCurrent();
                case "end":
                  note(calls, "end", args);
                  ended.add(new Recorded(name, own, above.getSpanContext(), calls));
                  return null;
                default:
                  note(calls, method.getName(), args);
                  return span;
              }
            });
  }
}

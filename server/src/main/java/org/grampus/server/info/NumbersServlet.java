package org.grampus.server.info;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.grampus.engine.EngineMetrics;
import org.grampus.server.metrics.Snapshot;

/**
 * {@code /rs-numbers}: what the charts of the status page draw, from the latest snapshot and with
 * its time. JMX tells a number without the time that it is of, and keeps it for its own period: a
 * rate between two of these jumps up and down under constant load. Any thread.
 */
@SuppressWarnings("serial") // no container keeps this one on a disk
final class NumbersServlet extends HttpServlet {
  private final transient StatusSource source;

  NumbersServlet(StatusSource source) {
    this.source = source;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.setContentType("application/json; charset=utf-8");
    response.getWriter().write(numbers(source.latest().get()).toString());
  }

  /** The time in milliseconds is of a clock that only goes forward. */
  static JsonObject numbers(Snapshot now) {
    EngineMetrics engine = now.engine();
    long hits = engine.get("block_cache.hit_count");
    JsonObject numbers = new JsonObject();
    numbers.addProperty("millis", TimeUnit.NANOSECONDS.toMillis(now.nanos()));
    numbers.addProperty("reads", now.reads());
    numbers.addProperty("writes", now.writes());
    numbers.addProperty("calls", now.calls());
    numbers.addProperty("memtableBytes", engine.get("memstore.bytes"));
    numbers.addProperty("pagesFound", hits);
    numbers.addProperty("pagesAsked", hits + engine.get("block_cache.miss_count"));
    numbers.addProperty("logBytes", engine.ofLogs("bytes"));
    return numbers;
  }
}

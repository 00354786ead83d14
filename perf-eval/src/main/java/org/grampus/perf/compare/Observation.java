package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.InfoPages;
import org.grampus.perf.process.PagePolls;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.process.SinkFile;
import org.grampus.perf.result.ResultTable;

/**
 * How one of two servers is observed: a sink gets all its metrics as long as it runs, and its pages
 * are asked for in its turns. For one thread.
 */
final class Observation implements AutoCloseable {
  /** From one look of a sink, and of a scrape, to the next. */
  private static final int METRICS_SECONDS = 10;

  /** From one look of an operator at the status page to the next. */
  private static final int PAGE_SECONDS = 1;

  /** Some periods go with the regions of a table that comes, when the sink begins anew. */
  private static final int LOST_PART = 2;

  private final Path sink;
  private final PagePolls polls;
  private long millis;
  private long periods;

  /**
   * Of a server that has begun.
   *
   * @param sink the file of its metrics
   */
  Observation(Path sink, InfoPages pages) {
    this.sink = sink;
    polls =
        new PagePolls(
            pages, Map.of(InfoPages.PROMETHEUS, METRICS_SECONDS, InfoPages.STATUS, PAGE_SECONDS));
  }

  /**
   * A server with such a sink and pages.
   *
   * @param port of its pages
   */
  static ServerPlan plan(ServerPlan server, int port) {
    return server.sinkingEach(METRICS_SECONDS).setting("hbase.regionserver.info.port", port);
  }

  /** The same target with its pages asked for. */
  Target observed(Target target) {
    return new ObservedTarget(target, polls);
  }

  /** Counts what the sink has written from a time to now, both in milliseconds since 1970. */
  void count(long fromMillis, long nowMillis) throws IOException {
    millis += nowMillis - fromMillis;
    periods += SinkFile.periods(sink, fromMillis);
  }

  /**
   * Says what there was.
   *
   * @throws ToolException when the sink has left out half of its periods, or a page did not come
   */
  String found() throws ToolException {
    long seconds = TimeUnit.MILLISECONDS.toSeconds(millis);
    if (periods < Math.max(1, seconds / METRICS_SECONDS / LOST_PART)) {
      throw new ToolException(
          ResultTable.cell(
              "the sink of metrics has written %d times in %d s, and not each %d s",
              periods, seconds, METRICS_SECONDS));
    }
    return "metrics that the sink got: "
        + periods
        + " times; pages that were asked for: "
        + polls.answers();
  }

  /** Ends the polls. */
  @Override
  public void close() {
    polls.close();
  }
}

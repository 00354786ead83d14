package org.grampus.perf.process;

import java.util.Map;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread of polls, which says whether they go on. */
public final class PollClock extends ScheduledThreadPoolExecutor {
  private volatile ScheduledFuture<?> last;

  /** A clock that does not go yet. */
  public PollClock() {
    super(1);
  }

  /** Polls by this clock, which ends with them. */
  public PagePolls polls(PageServer server, Map<String, Integer> secondsOfPages) {
    return new PagePolls(server.pages(), secondsOfPages, this);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    last = super.scheduleAtFixedRate(command, initialDelay, period, unit);
    return last;
  }

  /** Whether there is a next poll. */
  public boolean goes() {
    return last != null && !last.isDone();
  }
}

package org.grampus.perf.process;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.grampus.perf.ToolException;

/**
 * Asks a server for pages of its info port, each after a number of seconds again, as a scrape and
 * an operator's browser do. One thread of its own asks, for one page at a time; the methods are for
 * one thread.
 */
public final class PagePolls implements AutoCloseable {
  private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final AtomicLong answers = new AtomicLong();
  private final List<ScheduledFuture<?>> polls = new ArrayList<>();

  private PagePolls() {}

  /**
   * Begins, with each page at once.
   *
   * @param secondsOfPages the time from one poll of a page to the next
   */
  public static PagePolls of(InfoPages pages, Map<String, Integer> secondsOfPages) {
    PagePolls polls = new PagePolls();
    secondsOfPages.forEach((page, seconds) -> polls.begin(pages, page, seconds));
    return polls;
  }

  private void begin(InfoPages pages, String page, int seconds) {
    polls.add(thread.scheduleAtFixedRate(() -> poll(pages, page), 0, seconds, TimeUnit.SECONDS));
  }

  private void poll(InfoPages pages, String page) {
    try {
      pages.get(page);
      answers.incrementAndGet();
    } catch (IOException e) {
      failure.compareAndSet(null, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it is to end
    }
  }

  /**
   * How many answers there were.
   *
   * @throws ToolException when there was none, one did not come, or no more are asked for
   */
  public long answers() throws ToolException {
    if (failure.get() != null) {
      throw new ToolException("a page of the server does not come", failure.get());
    }
    if (polls.stream().anyMatch(ScheduledFuture::isDone) || answers.get() == 0) {
      throw new ToolException("no page of the server has come, or none is asked for any more");
    }
    return answers.get();
  }

  /** Ends. */
  @Override
  public void close() {
    polls.forEach(poll -> poll.cancel(true));
    thread.shutdownNow();
  }
}

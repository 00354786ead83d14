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
 * an operator's browser do.
 */
public final class Observers implements AutoCloseable {
  private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(1);
  private final AtomicReference<IOException> failure = new AtomicReference<>();
  private final AtomicLong answers = new AtomicLong();
  private final List<ScheduledFuture<?>> looks = new ArrayList<>();

  private Observers() {}

  /**
   * Begins, with each page at once.
   *
   * @param secondsOfPages the time from one look at a page to the next
   */
  public static Observers of(InfoPages pages, Map<String, Integer> secondsOfPages) {
    Observers observers = new Observers();
    secondsOfPages.forEach((page, seconds) -> observers.begin(pages, page, seconds));
    return observers;
  }

  private void begin(InfoPages pages, String page, int seconds) {
    looks.add(threads.scheduleAtFixedRate(() -> look(pages, page), 0, seconds, TimeUnit.SECONDS));
  }

  private void look(InfoPages pages, String page) {
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
    if (looks.stream().anyMatch(ScheduledFuture::isDone) || answers.get() == 0) {
      throw new ToolException("no page of the server has come, or none is asked for any more");
    }
    return answers.get();
  }

  /** Ends. */
  @Override
  public void close() {
    looks.forEach(look -> look.cancel(true));
    threads.shutdownNow();
  }
}

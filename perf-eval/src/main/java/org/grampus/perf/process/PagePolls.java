package org.grampus.perf.process;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
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
  private static final Callable<Boolean> NOTHING = () -> true;

  private final ScheduledExecutorService thread;
  private final AtomicReference<Exception> failure = new AtomicReference<>();
  private final AtomicLong answers = new AtomicLong();
  private final AtomicLong seconds = new AtomicLong();
  private final InfoPages pages;
  private final Map<String, Integer> secondsOfPages;
  private ScheduledFuture<?> clock;

  /**
   * Polls that have not begun.
   *
   * @param secondsOfPages the time from one poll of a page to the next
   */
  public PagePolls(InfoPages pages, Map<String, Integer> secondsOfPages) {
    this(pages, secondsOfPages, Executors.newSingleThreadScheduledExecutor());
  }

  /**
   * The same over another thread, which ends with it.
   *
   * @param thread a single one
   */
  PagePolls(InfoPages pages, Map<String, Integer> secondsOfPages, ScheduledExecutorService thread) {
    this.pages = pages;
    this.thread = thread;
    this.secondsOfPages = Map.copyOf(secondsOfPages);
  }

  /** Begins with all pages at once, or goes on where {@link #pause} has ended. */
  public void begin() {
    clock = thread.scheduleAtFixedRate(this::second, 0, 1, TimeUnit.SECONDS);
  }

  /** Polls the pages whose time it is. */
  void second() {
    long now = seconds.getAndIncrement();
    secondsOfPages.forEach(
        (page, time) -> {
          if (now % time == 0) {
            poll(page);
          }
        });
  }

  private void poll(String page) {
    try {
      pages.get(page);
      answers.incrementAndGet();
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // it is to end
    }
  }

  /** Asks for no page until it begins again, and returns when the last one has come. */
  public void pause() throws InterruptedException {
    clock.cancel(false);
    thread.invokeAll(List.of(NOTHING)); // behind a poll, since there is one thread
  }

  /**
   * How many answers there were.
   *
   * @throws ToolException when there was none, or one did not come
   */
  public long answers() throws ToolException {
    if (failure.get() != null) {
      throw new ToolException("a page of the server does not come", failure.get());
    }
    if (answers.get() == 0) {
      throw new ToolException("no page of the server has come");
    }
    return answers.get();
  }

  /** Ends. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}

package org.grampus.server.hadoop;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import org.apache.hbase.thirdparty.io.netty.util.concurrent.DefaultThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads for calls that wait for other machines and that nothing ends: each call has one for as
 * long as it takes, and its caller waits for a time. Daemons. Any thread.
 */
final class WaitingThreads implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingThreads.class);

  private static final Duration STOP_MAX = Duration.ofSeconds(10);

  private final ExecutorService threads;

  WaitingThreads(String name) {
    this(new DefaultThreadFactory(name, /* daemon= */ true));
  }

  /** With such threads, which are daemons. */
  WaitingThreads(ThreadFactory factory) {
    this.threads = Executors.newCachedThreadPool(factory);
  }

  /** A call. */
  interface Call<T> {
    T run() throws IOException;
  }

  /**
   * Makes a call, and waits for it. A call that takes too long is interrupted.
   *
   * @param what the call does, for messages
   * @param late takes what a call returns or throws when it is not waited for any more, or the
   *     failure of one that was never begun; must not wait
   */
  <T> T call(String what, Duration most, Call<T> call, BiConsumer<T, Throwable> late)
      throws IOException {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    AtomicBoolean begun = new AtomicBoolean();
    Runnable task =
        () -> {
          if (begun.compareAndSet(false, true)) {
            run(call, outcome, late);
          }
        };
    Future<?> running;
    try {
      running = begin(what, task);
    } catch (IOException e) {
      late.accept(null, e);
      throw e;
    }
    IOException gone;
    try {
      return outcome.get(most.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failure(what, e);
    } catch (TimeoutException e) {
      gone = new IOException(what + " takes longer than " + most, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      gone = new InterruptedIOException("interrupted while waiting: " + what);
    }
    if (outcome.completeExceptionally(gone)) {
      running.cancel(true);
      if (begun.compareAndSet(false, true)) {
        late.accept(null, gone);
      }
      throw gone;
    }
    return ended(what, outcome); // at this moment
  }

  private Future<?> begin(String what, Runnable task) throws IOException {
    try {
      return threads.submit(task);
    } catch (RejectedExecutionException e) {
      throw new IOException(what + " is refused: the file systems are closed", e);
    } catch (OutOfMemoryError e) {
      throw new IOException(what + " has no thread", e);
    }
  }

  private static <T> void run(
      Call<T> call, CompletableFuture<T> outcome, BiConsumer<T, Throwable> late) {
    T returned = null;
    Throwable thrown = null;
    try {
      returned = call.run();
    } catch (Throwable t) { // an Error too, such as one of memory: the caller must not wait for it
      thrown = t;
    }
    boolean isAwaited =
        thrown == null ? outcome.complete(returned) : outcome.completeExceptionally(thrown);
    if (!isAwaited) {
      late.accept(returned, thrown);
    }
  }

  private static <T> T ended(String what, CompletableFuture<T> outcome) throws IOException {
    try {
      return outcome.get();
    } catch (ExecutionException e) {
      throw failure(what, e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("a future that is done waits", e);
    }
  }

  private static IOException failure(String what, ExecutionException e) {
    return e.getCause() instanceof IOException cause
        ? cause
        : new IOException(what + " failed: " + e.getCause(), e.getCause());
  }

  /** Makes a call for which nothing waits. */
  void inBackground(String what, HadoopAppend.Step step) {
    try {
      threads.execute(
          () -> {
            try {
              step.run();
            } catch (IOException | RuntimeException e) {
              LOG.info("{} failed: {}", what, e.toString());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.info("{} is left out: the file systems are closed", what);
    } catch (OutOfMemoryError e) { // the caller, who waits for nothing, goes on without it
      LOG.warn("{} is left out: {}", what, e.toString());
    }
  }

  /** Waits for the calls that are under way, for a while. No call is taken any more. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      if (!threads.awaitTermination(STOP_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("files of logs are left open: the name node does not end them");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.shutdownNow(); // each says which file it leaves
  }
}

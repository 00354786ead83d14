package org.grampus.server.rpc;

import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.grampus.engine.CompletionEntries;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that asks the engine which writes have become durable and wakes the event loops of
 * their calls, one task per loop and batch.
 */
public final class CompletionPump implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompletionPump.class);
  private static final int BATCH = 4096;
  private static final long POLL_MILLIS = 1_000;
  private static final long JOIN_MILLIS = 10_000;

  private final CompletionSource source;
  private final Consumer<Throwable> onFatal;
  private final TokenTable tokens = new TokenTable();
  private final Thread thread = new Thread(this::pump, "completion-pump");
  private final CompletionEntries entries = new CompletionEntries(BATCH);
  private volatile boolean closed;
  private boolean reported;

  /**
   * A pump that is not running yet.
   *
   * @param onFatal told once when nothing may be acknowledged any more and the process must end
   */
  public CompletionPump(NativeEngine engine, Consumer<Throwable> onFatal) {
    this(CompletionSource.of(engine), onFatal);
  }

  /** A pump over any source. */
  public CompletionPump(CompletionSource source, Consumer<Throwable> onFatal) {
    this.source = source;
    this.onFatal = onFatal;
    thread.setDaemon(true);
  }

  /** Starts the thread. */
  public void start() {
    thread.start();
  }

  /** The tokens whose completions this pump delivers. */
  public TokenTable tokens() {
    return tokens;
  }

  /** Fetches a mutation's output that did not fit; see docs/jni.md. */
  public int takeOverflow(long token, ByteBuffer out) {
    return source.takeOverflow(token, out);
  }

  /** Drops a mutation's output that did not fit. */
  public void discardOverflow(long token) {
    source.takeOverflow(token, ByteBuffer.allocateDirect(0));
  }

  private void pump() {
    try {
      while (!closed) {
        int count = source.pollCompletions(entries, POLL_MILLIS);
        if (count < 0) {
          break;
        }
        deliver(count);
      }
      failAll(new EngineException(ErrorKind.NOT_SERVING, "the engine is closed"));
    } catch (Throwable t) {
      fatal(t);
    }
  }

  private void deliver(int count) {
    Map<EventLoop, List<Completion>> byLoop = new HashMap<>();
    for (int i = 0; i < count; i++) {
      long token = entries.token(i);
      int kind = entries.kind(i);
      Completion completion = tokens.take(token);
      if (kind != CompletionEntries.DURABLE) {
        EngineException error = new EngineException(kind, lossText());
        if (completion != null) {
          wake(completion.loop(), () -> completion.lost(error));
        }
        fatal(error);
      } else if (completion == null) {
        LOG.warn("completion of unknown token {}", Long.toHexString(token));
      } else {
        byLoop.computeIfAbsent(completion.loop(), loop -> new ArrayList<>()).add(completion);
      }
    }
    byLoop.forEach((loop, batch) -> wake(loop, () -> batch.forEach(CompletionPump::complete)));
  }

  /** What the log's operator reads as the reason why the process ended. */
  private String lossText() {
    String why = source.logFailure();
    return "the write was not made durable, so it is not acknowledged"
        + (why == null ? "" : "; the write-ahead log is lost: " + why);
  }

  private static void complete(Completion completion) {
    try {
      completion.durable();
    } catch (Throwable t) { // the others of the batch would never be answered
      LOG.error("a completion failed", t);
    }
  }

  private static void wake(EventLoop loop, Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the event loop of a completion has ended", e);
    }
  }

  private void fatal(Throwable error) {
    failAll(error);
    if (!reported) {
      reported = true;
      onFatal.accept(error);
    }
  }

  private void failAll(Throwable error) {
    for (Completion completion : tokens.drain()) {
      wake(completion.loop(), () -> completion.lost(error));
    }
  }

  /** Stops the thread; writes that are still in flight are not acknowledged. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(JOIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

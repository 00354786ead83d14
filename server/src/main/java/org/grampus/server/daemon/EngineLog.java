package org.grampus.server.daemon;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.grampus.engine.EngineEvent;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.NativeEngine;
import org.grampus.server.env.Env;
import org.grampus.server.env.Repeated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that puts what the engine says about its background work (docs/jni.md, {@code
 * pollEvents}) into the server's log, under {@code org.grampus.engine.<topic>}.
 */
final class EngineLog {
  private static final Logger LOG = LoggerFactory.getLogger(EngineLog.class);
  private static final String LOGGERS = "org.grampus.engine.";
  private static final long POLL_MILLIS = 60_000;
  private static final long JOIN_MILLIS = 10_000;

  /** After a poll that failed. */
  private static final Duration RETRY = Duration.ofSeconds(1);

  private final LongFunction<List<EngineEvent>> source;
  private final Consumer<EngineEvent> listener;
  private final Thread thread = new Thread(this::run, "engine-log");

  /**
   * A log that begins with {@link #start} and ends after the engine was closed.
   *
   * @param listener gets each event, too
   */
  EngineLog(NativeEngine engine, Consumer<EngineEvent> listener) {
    this(engine::pollEvents, listener);
  }

  /** A log over any source of events, given a timeout in milliseconds. */
  EngineLog(LongFunction<List<EngineEvent>> source, Consumer<EngineEvent> listener) {
    this.source = source;
    this.listener = listener;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (logNext()) {
        // until the engine is closed
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Logs what there is; false when the engine is closed. A poll that fails is no end of them. */
  private boolean logNext() throws InterruptedException {
    try {
      List<EngineEvent> events = source.apply(POLL_MILLIS);
      if (events != null) {
        log(events);
      }
      return events != null;
    } catch (EngineException e) {
      if (e.kind() == ErrorKind.NOT_SERVING) { // the engine was closed meanwhile
        return false;
      }
      failed(e);
    } catch (RuntimeException | Error e) {
      failed(e);
    }
    Env.sleep(RETRY);
    return true;
  }

  private static void failed(Throwable failure) {
    LOG.error("the engine's events cannot be logged, the next try follows", failure);
  }

  private void log(List<EngineEvent> events) {
    for (EngineEvent event : events) {
      Repeated.of("the log of what the engine says", () -> log(event)).run();
    }
  }

  private void log(EngineEvent event) {
    Logger logger = LoggerFactory.getLogger(LOGGERS + event.topic());
    switch (event.level()) {
      case ERROR -> logger.error("{}", event.text());
      case WARN -> logger.warn("{}", event.text());
      case INFO -> logger.info("{}", event.text());
    }
    listener.accept(event);
  }

  /** Waits until the last events are logged. The engine must be closed. */
  void join() throws InterruptedException {
    thread.join(JOIN_MILLIS);
  }
}

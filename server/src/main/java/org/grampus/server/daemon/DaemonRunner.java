package org.grampus.server.daemon;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a daemon in the foreground until SIGTERM, SIGINT or a stop request, then stops it once. A
 * fatal error halts the process at once: whatever runs afterwards could only do harm, and recovery
 * starts from the logs.
 */
final class DaemonRunner {
  private static final Logger LOG = LoggerFactory.getLogger(DaemonRunner.class);

  private static final int EXIT_OK = 0;
  private static final int EXIT_FAILURE = 1;

  /** Enough for gigabytes in memtables; a service manager that waits less decides by itself. */
  private static final Duration STOP_MAX = Duration.ofMinutes(5);

  /** Enough for the last words; a log on a disk that hangs takes none. */
  private static final Duration WORDS_MAX = Duration.ofSeconds(10);

  private final StopRequest stop = new StopRequest();
  private final CountDownLatch failing = new CountDownLatch(1);
  private final Duration stopMax;
  private final Duration wordsMax;

  DaemonRunner() {
    this(STOP_MAX, WORDS_MAX);
  }

  /** One for tests that wait less. */
  DaemonRunner(Duration stopMax, Duration wordsMax) {
    this.stopMax = stopMax;
    this.wordsMax = wordsMax;
  }

  /** Something that can be started and stopped. */
  interface Daemon {
    /** Starts; returns once it serves, or with what there is when a stop is requested before. */
    AutoCloseable start(DaemonRunner runner) throws StartupException, InterruptedException;
  }

  /** Runs until stopped; returns the exit code. */
  int run(Daemon daemon) {
    startThread(this::limit, "grampus-stop-limit");
    startThread(this::haltWhenFailing, "grampus-halt");
    Thread hook = new Thread(this::onSignal, "grampus-stop");
    Runtime.getRuntime().addShutdownHook(hook);
    AutoCloseable running;
    try {
      running = daemon.start(this);
    } catch (StartupException e) {
      return fail(
          () -> {
            LOG.debug("start failed", e);
            System.err.println("grampus: " + e.getMessage());
          });
    } catch (InterruptedException e) {
      return exit(EXIT_FAILURE);
    } catch (RuntimeException | LinkageError e) {
      // HBase's getters throw the former for a value that is no number, the latter comes of a
      // machine that the native library is not for; both say so. Threads that run already would
      // keep the process up for ever.
      return fail(
          () -> {
            LOG.error("start failed", e);
            System.err.println("grampus: cannot start: " + e.getMessage());
          });
    }
    try {
      LOG.info("stopping: {}", stop.await());
      running.close();
      LOG.info("stopped");
      return exit(EXIT_OK);
    } catch (Exception e) {
      return fail(() -> LOG.error("the stop failed", e));
    }
  }

  /** Begins an orderly stop once it is made. */
  StopRequest stop() {
    return stop;
  }

  /** Ends the process now. */
  void abort(String why, Throwable cause) {
    fail(
        () ->
            LOG.error(
                "fatal: {}; the process ends now, acknowledged data is in the write-ahead log",
                why,
                cause));
  }

  private void onSignal() {
    stop.make("asked by a signal");
    try {
      // The stop, or its limit, ends the process by itself, with its own exit code; this wait only
      // keeps the JVM from ending before.
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the process when its stop takes too long, whatever the stop was asked for by. */
  private void limit() {
    try {
      stop.await();
      Env.sleep(stopMax);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    fail(
        () ->
            LOG.error(
                "the stop takes longer than {} s; the process ends now, acknowledged data is in the"
                    + " write-ahead log",
                stopMax.toSeconds()));
  }

  private static void startThread(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  /** Logs and ends the process as failed, also where the log hangs. */
  private int fail(Runnable words) {
    failing.countDown();
    try {
      words.run();
    } finally {
      exit(EXIT_FAILURE);
    }
    return EXIT_FAILURE;
  }

  /**
   * Ends a process that is failing and cannot say so. The thread is there before memory is short.
   */
  private void haltWhenFailing() {
    try {
      failing.await();
      Env.sleep(wordsMax);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exit(EXIT_FAILURE);
  }

  /**
   * Leaves with a code of our own also after a signal, and past threads of HBase's that are not
   * daemons.
   */
  private int exit(int code) {
    Runtime.getRuntime().halt(code);
    return code;
  }
}

package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls that are repeated while the server is killed and started, as an operator would. */
final class RepeatedCalls {
  private static final Logger LOG = LoggerFactory.getLogger(RepeatedCalls.class);

  /** A step of the master that may have to be asked for again. */
  interface Step {
    void run(Admin admin) throws IOException, InterruptedException;
  }

  interface Condition {
    boolean holds(Admin admin) throws IOException;
  }

  private static final long STEP_MAX_NANOS = TimeUnit.SECONDS.toNanos(120);
  private static final long CALL_SECONDS = 60;

  private final Connection connection;
  private final String caller;

  /**
   * @param caller whose calls these are, for the log
   */
  RepeatedCalls(Connection connection, String caller) {
    this.connection = connection;
    this.caller = caller;
  }

  /** Repeats a step until it succeeds. */
  void until(String what, Step step) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + STEP_MAX_NANOS;
    while (true) {
      try (Admin admin = connection.getAdmin()) {
        step.run(admin);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw new IOException(what + " did not succeed", e);
        }
        LOG.info("{} of {} is asked for again: {}", what, caller, e.toString());
        Thread.sleep(100);
      }
    }
  }

  /** Repeats a call until what it is for holds. */
  void reach(String what, Condition done, Step step) throws IOException, InterruptedException {
    until(
        what,
        admin -> {
          if (!done.holds(admin)) {
            step.run(admin);
          }
          if (!done.holds(admin)) {
            throw new IOException("not done yet");
          }
        });
  }

  static <T> void await(Future<T> call) throws IOException, InterruptedException {
    try {
      call.get(CALL_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  /** Whether it succeeds does not matter: the rows are the same. */
  void perhaps(String what, Step step) throws IOException, InterruptedException {
    try (Admin admin = connection.getAdmin()) {
      step.run(admin);
    } catch (IOException e) {
      LOG.info("{} of {} is left: {}", what, caller, e.toString());
    }
  }
}

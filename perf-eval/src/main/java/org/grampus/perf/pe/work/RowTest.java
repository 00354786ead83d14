package org.grampus.perf.pe.work;

import java.io.Closeable;
import java.io.IOException;

/**
 * What a client does for each of its rows. A test of your own extends this class, has a public
 * constructor without parameters, and is named on the command line in the place of a test. One
 * thread makes it, uses it and closes it; each client has its own.
 */
public abstract class RowTest implements Closeable {
  /** What became of a row. */
  public enum Step {
    /** A request was sent, and its latency counts. */
    SENT,
    /** Nothing was sent yet; the row waits for others. */
    KEPT,
    /** The same, and the cycle has no more rows. */
    LAST,
    /** There was nothing to send: the cycle has no more rows. */
    END
  }

  /**
   * Opens what the client needs; called once, before the clock runs.
   *
   * @param client the client's options, connection and counts
   */
  public abstract void open(TestClient client) throws IOException;

  /**
   * Does a row, and counts what was answered in the client's tally.
   *
   * @param row its number
   */
  public abstract Step row(long row) throws IOException, InterruptedException;

  /** Called after each row, on the clock of the run and outside of the latency of the row. */
  public void afterRow() throws IOException, InterruptedException {}

  /**
   * Sends what was kept and waits for its answers; called once after the last row, on the clock.
   *
   * @return whether a request was sent
   */
  public Step finish() throws IOException, InterruptedException {
    return Step.KEPT;
  }

  /** Releases what {@link #open} has opened; called once, on every path. */
  @Override
  public void close() throws IOException {}
}

package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A thread that reads and writes one row, and measures the longest time between two answers. Any
 * thread may ask it.
 */
final class RegionProbe {
  private static final byte[] COLUMN = Bytes.toBytes("n");
  private static final long PERIOD_MILLIS = 20;
  private static final long END_MILLIS = 5000;

  private final Table table;
  private final byte[] family;
  private final byte[] row;
  private final Thread thread;
  private volatile boolean ended;
  private long acknowledged;
  private long attempted;
  private long asked;
  private long answered = System.nanoTime();
  private long longestNanos;
  private long lost;
  private String failure = "";

  /** A probe of a row, whose thread does not run yet. */
  RegionProbe(Table table, byte[] family, byte[] row) {
    this.table = table;
    this.family = family;
    this.row = row;
    thread = new Thread(this::run, "probe-" + Bytes.toString(row));
  }

  void start() {
    thread.start();
  }

  private void run() {
    while (!ended) {
      try {
        once();
      } catch (IOException | RuntimeException e) {
        failed(e);
      }
      pause();
    }
  }

  /** First the read: a write would hide that the one before it is lost. */
  void once() throws IOException {
    long start = System.nanoTime();
    Result result = table.get(new Get(row));
    byte[] value = result.getValue(family, COLUMN);
    long number = saw(value == null ? 0 : Bytes.toLong(value));
    table.put(new Put(row).addColumn(family, COLUMN, number, Bytes.toBytes(number)));
    answered(start, number);
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PERIOD_MILLIS);
    } catch (InterruptedException e) {
      ended = true;
    }
  }

  /** Returns the number of the write that comes now. */
  private synchronized long saw(long number) {
    if (number < acknowledged || number > attempted) {
      lost++;
    }
    attempted++;
    return attempted;
  }

  private synchronized void answered(long start, long number) {
    long now = System.nanoTime();
    longestNanos = Math.max(longestNanos, now - answered);
    asked = start;
    answered = now;
    acknowledged = number;
  }

  private synchronized void failed(Exception e) {
    failure = e.toString();
  }

  /** Forgets the times so far. */
  synchronized void forget() {
    longestNanos = 0;
  }

  /** The longest time between two answers since {@link #forget}, in milliseconds. */
  synchronized long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(longestNanos, System.nanoTime() - answered));
  }

  /** Whether a request has been answered that began after a time of {@link System#nanoTime}. */
  synchronized boolean answeredSince(long time) {
    return asked - time > 0;
  }

  /** Reads that have not found the last acknowledged write, or a later one. */
  synchronized long lost() {
    return lost;
  }

  /** Its last failure, empty if there was none. */
  synchronized String failure() {
    return failure;
  }

  /** Ends the thread. */
  void end() {
    ended = true;
    thread.interrupt();
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

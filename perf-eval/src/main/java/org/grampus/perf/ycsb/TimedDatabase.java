package org.grampus.perf.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Measures the calls of a database, and counts those that fail. For one thread. */
final class TimedDatabase extends DB {
  private static final long NANOS_OF_MICRO = 1000;
  private static final int DIGITS = 3;

  private final DB database;
  private final Histogram micros = new Histogram(DIGITS);
  private long errors;
  private Status lastError;

  TimedDatabase(DB database) {
    this.database = database;
  }

  /** Latencies of all calls, in µs. */
  Histogram micros() {
    return micros;
  }

  /** Calls that failed, and reads that found nothing. */
  long errors() {
    return errors;
  }

  /** Of the last call that failed; null when none did. */
  Status lastError() {
    return lastError;
  }

  private Status time(Supplier<Status> call) {
    long before = System.nanoTime();
    Status status = call.get();
    micros.recordValue((System.nanoTime() - before) / NANOS_OF_MICRO);
    if (!status.isOk()) {
      errors++;
      lastError = status;
    }
    return status;
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> record) {
    return time(() -> database.read(table, key, fields, record));
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String table,
      String firstKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> records) {
    return time(() -> database.scan(table, firstKey, count, fields, records));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> fields) {
    return time(() -> database.update(table, key, fields));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> fields) {
    return time(() -> database.insert(table, key, fields));
  }

  @Override
  public Status delete(String table, String key) {
    return time(() -> database.delete(table, key));
  }
}

package org.grampus.perf.pe.server;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Sees what a run asks through HBase's clients, and which connections it opens and closes; tasks of
 * Hadoop's local runner are in this process and are seen, too. Calls of asynchronous clients are
 * not. For any thread.
 */
final class Witness {
  private static final String NAME_KEY = "grampus.test.witness";
  private static final String CONNECTION_KEY = "hbase.client.connection.impl";
  private static final Map<String, Witness> ALL = new ConcurrentHashMap<>();
  private static final AtomicInteger NEXT = new AtomicInteger();

  private final List<Get> gets = new CopyOnWriteArrayList<>();
  private final List<SeenScan> scans = new CopyOnWriteArrayList<>();
  private final List<Closeable> opened = new CopyOnWriteArrayList<>();
  private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
  private PeRun run;
  private int left;

  private Witness() {}

  /** A run that is watched. */
  @FunctionalInterface
  interface WatchedRun {
    PeRun with(Configuration conf) throws Exception;
  }

  /**
   * A scan that was asked for.
   *
   * @param rows that have come back
   */
  record SeenScan(Scan scan, AtomicLong rows) {}

  /** Watches a run to its end, and closes the connections that it leaves open. */
  static Witness of(Configuration conf, WatchedRun run) throws Exception {
    String name = String.valueOf(NEXT.getAndIncrement());
    Witness witness = new Witness();
    ALL.put(name, witness);
    try {
      Configuration watched = new Configuration(conf);
      watched.set(NAME_KEY, name);
      watched.set(CONNECTION_KEY, WitnessedConnection.class.getName());
      watched.setClass(
          ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL,
          WitnessedAsyncConnection.class,
          AsyncConnection.class);
      witness.run = run.with(watched);
    } finally {
      witness.closeLeft();
      ALL.remove(name);
    }
    return witness;
  }

  private void closeLeft() throws IOException {
    left = open.size();
    for (Closeable one : open) {
      one.close();
    }
  }

  /** The one that watches a run with this configuration. */
  static Witness of(Configuration conf) {
    return ALL.get(conf.get(NAME_KEY));
  }

  /** The configuration of a connection that nothing watches. */
  static Configuration unwatched(Configuration conf) {
    Configuration plain = new Configuration(conf);
    plain.unset(CONNECTION_KEY);
    plain.unset(ConnectionFactory.HBASE_CLIENT_ASYNC_CONNECTION_IMPL);
    return plain;
  }

  /** Learns of a connection. */
  void opened(Closeable connection) {
    opened.add(connection);
    open.add(connection);
  }

  /** Learns that a connection is closed. */
  void closed(Closeable connection) {
    open.remove(connection);
  }

  /** Learns of a get, or of a list of them. */
  void asked(Object gotten) {
    for (Object one : gotten instanceof List<?> list ? list : List.of(gotten)) {
      gets.add((Get) one);
    }
  }

  /** Learns of a scan; the caller counts its rows. */
  AtomicLong asked(Scan scan) {
    SeenScan seen = new SeenScan(scan, new AtomicLong());
    scans.add(seen);
    return seen.rows();
  }

  /** The run. */
  PeRun run() {
    return run;
  }

  /** Gets in all. */
  int gets() {
    return gets.size();
  }

  /** Rows that gets asked for, each once. */
  long rowsOfGets() {
    return gets.stream().map(get -> Bytes.toString(get.getRow())).distinct().count();
  }

  /** Scans in the order in which they were asked for. */
  List<SeenScan> scans() {
    return scans;
  }

  /** The rows that came back from the scan with most of them. */
  long rowsOfLongestScan() {
    return scans.stream().mapToLong(seen -> seen.rows().get()).max().orElse(0);
  }

  /** Connections that were opened. */
  int opened() {
    return opened.size();
  }

  /** Connections that were open when the run had ended. */
  int leftOpen() {
    return left;
  }
}

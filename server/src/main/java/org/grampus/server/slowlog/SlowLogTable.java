package org.grampus.server.slowlog;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.namequeues.SlowLogPersistentService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.apache.hadoop.hbase.slowlog.SlowLogTableAccessor;
import org.grampus.server.env.Repeated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes calls to {@code hbase:slowlog}, a table of the master's. They wait for it in memory, the
 * latest {@code hbase.regionserver.slowlog.systable.queue.size} of them with 32 KiB each at most;
 * those that wait when the server stops, or that cannot be written, are lost, as in HBase. Any
 * thread.
 */
final class SlowLogTable implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowLogTable.class);
  private static final String OWN_REGIONS = SlowLogTableAccessor.SLOW_LOG_TABLE_NAME + ",";
  private static final String PERIOD_KEY = "hbase.slowlog.systable.chore.duration";
  private static final int PERIOD_MILLIS = 600_000;
  private static final long STOP_SECONDS = 10;

  private final Configuration conf;
  private final SlowLogPersistentService waiting;
  private final ScheduledExecutorService writer =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "grampus-slow-log");
            thread.setDaemon(true);
            return thread;
          });

  /** Made by the writer, closed by {@link #close}. */
  private final AtomicReference<Connection> connection = new AtomicReference<>();

  private final AtomicBoolean closed = new AtomicBoolean();

  SlowLogTable(Configuration conf) {
    this.conf = conf;
    this.waiting = new SlowLogPersistentService(conf);
  }

  /** Whether a configuration asks for it. */
  static boolean isEnabled(Configuration conf) {
    return conf.getBoolean(
        HConstants.SLOW_LOG_SYS_TABLE_ENABLED_KEY,
        HConstants.DEFAULT_SLOW_LOG_SYS_TABLE_ENABLED_KEY);
  }

  /** Writes from now on, once in {@code hbase.slowlog.systable.chore.duration} milliseconds. */
  void begin() {
    long millis = Math.max(1, conf.getInt(PERIOD_KEY, PERIOD_MILLIS));
    Runnable write = Repeated.of("the write of slow calls to their table", this::write);
    var unused = writer.scheduleWithFixedDelay(write, millis, millis, TimeUnit.MILLISECONDS);
  }

  /** A slow write of slow calls makes no call to be written. */
  void add(SlowLogPayload call) {
    if (!call.getRegionName().startsWith(OWN_REGIONS)) {
      waiting.addToQueueForSysTable(call);
    }
  }

  private void write() {
    try {
      if (connection.get() == null) {
        connection.set(ConnectionFactory.createConnection(conf));
      }
      waiting.addAllLogsToSysTable(connection.get());
    } catch (IOException e) {
      LOG.warn("slow calls wait for {}", SlowLogTableAccessor.SLOW_LOG_TABLE_NAME, e);
    }
  }

  /** A second call does nothing. */
  @Override
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    writer.shutdownNow();
    try {
      closeConnection(); // a table that does not answer would be waited for, batch by batch
    } finally {
      awaitWriter();
      closeConnection(); // one that was made meanwhile
    }
  }

  private void awaitWriter() {
    try {
      if (!writer.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn(
            "the thread that writes to {} has not ended in {} s; it ends with the process",
            SlowLogTableAccessor.SLOW_LOG_TABLE_NAME,
            STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeConnection() throws IOException {
    Connection open = connection.get();
    if (open != null) {
      open.close();
    }
  }
}

package org.grampus.server.slowlog;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.namequeues.LogHandlerUtils;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.SlowLogResponseRequest.LogType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.TooSlowLog.SlowLogPayload;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.CallObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's slow log and large log: a line for each such call. With {@code
 * hbase.regionserver.slowlog.buffer.enabled} the latest are kept in memory. With {@code
 * hbase.regionserver.slowlog.systable.enabled} as well they are also written to {@code
 * hbase:slowlog} ({@link SlowLogTable}). A call that is neither costs two comparisons; of one that
 * is, no text is longer than 4 KiB, and the latest together take 4 MiB at most. Any thread.
 */
public final class SlowLog implements CallObserver, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SlowLog.class);

  /** What the kept calls may take together. */
  private static final int BYTES_MAX = 4 << 20;

  private final SlowLogLimits limits;
  private final Deque<SlowLogPayload> calls = new ArrayDeque<>();
  private final Optional<SlowLogTable> table;
  private long bytes;

  /** A log with the limits of a configuration. */
  public SlowLog(Configuration conf) {
    this.limits = SlowLogLimits.from(conf);
    this.table =
        limits.buffered() && SlowLogTable.isEnabled(conf)
            ? Optional.of(new SlowLogTable(conf))
            : Optional.empty();
  }

  /**
   * Writes calls to their table from now on, where it is switched on; needs a cluster that serves.
   */
  public void begin() {
    table.ifPresent(SlowLogTable::begin);
  }

  /** Ends the writes to the table. */
  @Override
  public void close() throws IOException {
    if (table.isPresent()) {
      table.get().close();
    }
  }

  /** Whether calls are kept. */
  public boolean isBuffered() {
    return limits.buffered();
  }

  @Override
  public void finished(Call call, Throwable error) {
    if (error != null) {
      return; // HBase looks at calls that succeed
    }
    long total = call.endedNanos() - call.receivedNanos();
    long millis = TimeUnit.NANOSECONDS.toMillis(total - call.waitedNanos());
    boolean slow = limits.isSlow(call.method().name(), millis);
    boolean large = limits.isLarge(call.method().name(), call.replyBytes());
    if (slow || large) {
      add(SlowCall.describe(call, millis, type(slow, large)), SlowCall.cut(call.place()));
    }
  }

  private static SlowLogPayload.Type type(boolean slow, boolean large) {
    if (slow && large) {
      return SlowLogPayload.Type.ALL;
    }
    return slow ? SlowLogPayload.Type.SLOW_LOG : SlowLogPayload.Type.LARGE_LOG;
  }

  private void add(SlowLogPayload call, String place) {
    LOG.warn("({}): {}", tag(call), line(call, place));
    if (limits.buffered()) {
      keep(call);
      table.ifPresent(its -> its.add(call));
    }
  }

  private static String tag(SlowLogPayload call) {
    return switch (call.getType()) {
      case SLOW_LOG -> "responseTooSlow";
      case LARGE_LOG -> "responseTooLarge";
      case ALL -> "responseTooLarge & TooSlow";
    };
  }

  /** With HBase's names, which scripts look for, and 0 for what is not counted by call. */
  private static JsonObject line(SlowLogPayload call, String place) {
    JsonObject line = new JsonObject();
    line.addProperty("starttimems", call.getStartTime());
    line.addProperty("responsesize", call.getResponseSize());
    line.addProperty("blockbytesscanned", call.getBlockBytesScanned());
    line.addProperty("fsreadtime", 0);
    line.addProperty("method", call.getMethodName());
    line.addProperty("call", call.getCallDetails());
    line.addProperty("param", call.getParam());
    line.addProperty("processingtimems", call.getProcessingTime());
    line.addProperty("client", call.getClientAddress());
    line.addProperty("queuetimems", call.getQueueTime());
    line.addProperty("class", call.getServerClass());
    if (call.getMethodName().equals("Multi")) {
      line.addProperty("multi.gets", call.getMultiGets());
      line.addProperty("multi.mutations", call.getMultiMutations());
      line.addProperty("multi.service_calls", call.getMultiServiceCalls());
    }
    if (!place.isEmpty()) {
      line.addProperty("scandetails", place);
    }
    return line;
  }

  private synchronized void keep(SlowLogPayload call) {
    calls.addFirst(call);
    bytes += call.getSerializedSize();
    while (calls.size() > limits.calls() || bytes > BYTES_MAX) {
      bytes -= calls.removeLast().getSerializedSize();
    }
  }

  /** The latest calls that a request asks for, the latest first. */
  public List<SlowLogPayload> find(SlowLogResponseRequest request) {
    SlowLogPayload.Type other =
        request.getLogType() == LogType.LARGE_LOG
            ? SlowLogPayload.Type.LARGE_LOG
            : SlowLogPayload.Type.SLOW_LOG;
    List<SlowLogPayload> found = new ArrayList<>();
    for (SlowLogPayload call : all()) {
      if (call.getType() == SlowLogPayload.Type.ALL || call.getType() == other) {
        found.add(call);
      }
    }
    SlowLogResponseRequest limited =
        request.getLimit() >= 0
            ? request
            : request.toBuilder().setLimit(Integer.MAX_VALUE).build(); // it is unsigned
    return LogHandlerUtils.getFilteredLogs(limited, found);
  }

  /** All calls that are kept, the latest first. */
  public synchronized List<SlowLogPayload> all() {
    return List.copyOf(calls);
  }

  /** Forgets the calls; false where none are kept at all. */
  public synchronized boolean clear() {
    calls.clear();
    bytes = 0;
    return limits.buffered();
  }
}

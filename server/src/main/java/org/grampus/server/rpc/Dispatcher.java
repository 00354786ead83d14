package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.TimeoutIOException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.protocol.CellBlockCompressor;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.netty.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * From a request's frame to its method: decodes on the event loop, refuses what exceeds a limit,
 * and runs the call on the lane of its method. One refused or failed call does not touch its
 * neighbours.
 */
public final class Dispatcher implements AutoCloseable {
  /** Deadline of a call whose client did not say how long it waits. */
  static final long NO_DEADLINE = Long.MIN_VALUE;

  /** Priorities above this go to the priority pool, as in HBase. */
  static final int PRIORITY_THRESHOLD = 10;

  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);

  private final RpcServerConfig config;
  private final CallLimits limits;
  private final HandlerPool general;
  private final HandlerPool priority;
  private final DelayedCalls delayed;
  private volatile boolean closed;

  /** Pools and limits as configured. */
  public Dispatcher(RpcServerConfig config) {
    this.config = config;
    this.limits = new CallLimits(config.callQueueBytes());
    this.general = new HandlerPool("rpc-handler", config.handlers(), config.callQueueLength());
    this.priority =
        new HandlerPool(
            "rpc-priority-handler", config.priorityHandlers(), config.priorityCallQueueLength());
    this.delayed = new DelayedCalls(config.callQueueLength(), this::resume);
  }

  /** Starts the pools. */
  public void start() {
    general.start();
    priority.start();
  }

  /**
   * Takes one request, on the connection's event loop, and takes over its frame.
   *
   * @throws IOException when the header cannot be read, which ends the connection
   */
  public void dispatch(Connection connection, ByteBuf frame) throws IOException {
    long receivedNanos = System.nanoTime();
    try {
      int frameBytes = frame.readableBytes();
      RequestHeader header = Frames.readDelimited(frame, RequestHeader.getDefaultInstance());
      if (!limits.enter(frameBytes)) {
        refuse(
            connection,
            header,
            new CallQueueTooBigException(
                "Call queue is full, is hbase.ipc.server.max.callqueue.size too small?"));
        return;
      }
      Call call = decode(connection, header, frame, frameBytes, receivedNanos);
      if (call == null) {
        limits.leave(frameBytes);
      } else {
        route(call);
      }
    } finally {
      frame.release();
    }
  }

  private Call decode(
      Connection connection, RequestHeader header, ByteBuf frame, int frameBytes, long received) {
    ByteBuf cells = null;
    try {
      if (!header.getRequestParam()) {
        throw new DoNotRetryIOException(
            "Invalid request header: "
                + TextFormat.printer().emittingSingleLine(true).printToString(header)
                + ", should have param set in it");
      }
      RpcMethod method = connection.service().method(header.getMethodName());
      if (method == null) {
        throw new DoNotRetryIOException(new UnsupportedOperationException(header.getMethodName()));
      }
      Message param = Frames.readDelimited(frame, method.prototype());
      cells = readCells(connection, header, frame);
      return new Call(
          connection,
          method,
          header,
          param,
          cells,
          frameBytes,
          received,
          deadline(header, received),
          limits);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      if (cells != null) {
        cells.release();
      }
      LOG.debug("unreadable call {} from {}", header.getMethodName(), connection, e);
      refuse(
          connection,
          header,
          e,
          "Unable to read call parameter from client "
              + connection.address()
              + "; "
              + e.getMessage());
      return null;
    }
  }

  private ByteBuf readCells(Connection connection, RequestHeader header, ByteBuf frame)
      throws IOException {
    if (!header.hasCellBlockMeta()) {
      return null;
    }
    int length = header.getCellBlockMeta().getLength();
    if (length < 0 || length > frame.readableBytes()) {
      throw new IOException("cell block of " + length + " bytes in " + frame.readableBytes());
    }
    if (!connection.profile().codec().hasCellBlocks()) {
      throw new DoNotRetryIOException("cell block on a connection without a cell codec");
    }
    CellBlockCompressor compressor = connection.profile().compressor();
    if (compressor == null) {
      return frame.readRetainedSlice(length);
    }
    return compressor.decompress(
        connection.allocator(), frame.readSlice(length), config.maxRequestBytes());
  }

  private long deadline(RequestHeader header, long receivedNanos) {
    if (header.getTimeout() <= 0) {
      return NO_DEADLINE;
    }
    long millis = Math.max(config.minClientTimeoutMillis(), header.getTimeout());
    long deadline = receivedNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    return deadline == NO_DEADLINE ? deadline + 1 : deadline;
  }

  private void route(Call call) {
    if (closed) {
      call.giveUp(stopping());
      return;
    }
    Lane lane = call.method().lane(call);
    if (lane == Lane.EVENT_LOOP && run(call, false)) {
      return;
    }
    if (letWait(call)) {
      return;
    }
    HandlerPool pool = lane == Lane.PRIORITY || isPriority(call) ? priority : general;
    if (!pool.offer(new PooledCall(call))) {
      call.giveUp(queueFull());
    }
  }

  /** Runs a call on that has waited. */
  private void resume(Call call) {
    if (call.isAbandoned()) {
      call.drop();
    } else {
      route(call);
    }
  }

  /** Whether the call's last run asked for a delay; the call is taken care of then. */
  private boolean letWait(Call call) {
    long nanos = call.takeDelay();
    if (nanos == 0) {
      return false;
    }
    if (!delayed.add(call, nanos)) {
      call.giveUp(queueFull());
    }
    return true;
  }

  private static IOException queueFull() {
    return new CallQueueTooBigException("Call queue is full, too many items queued ?");
  }

  private static IOException stopping() {
    return new RegionServerStoppedException("The server is stopping");
  }

  private static boolean isPriority(Call call) {
    int level =
        call.header().hasPriority() ? call.header().getPriority() : call.method().priority(call);
    return level > PRIORITY_THRESHOLD;
  }

  /** A call on its way to a pool. */
  private final class PooledCall implements HandlerPool.Task {
    private final Call call;

    private PooledCall(Call call) {
      this.call = call;
    }

    @Override
    public void run() {
      if (call.isAbandoned()) {
        call.drop(); // the client has stopped waiting; HBase stays silent too
      } else {
        RunningCall.during(call, this::runCall);
      }
    }

    private void runCall() {
      if (!Dispatcher.run(call, true) && !letWait(call)) {
        call.fail(new IllegalStateException(call.method().name() + " would not run where it may"));
      }
    }

    @Override
    public void abandon() {
      call.giveUp(stopping());
    }
  }

  /** Runs a call; what it throws is its reply. */
  private static boolean run(Call call, boolean mayBlock) {
    try {
      return call.method().run(call, mayBlock);
    } catch (TimeoutIOException e) {
      LOG.debug("{} of {} ran out of time", call.method().name(), call.connection(), e);
      call.drop();
    } catch (IOException e) {
      call.fail(e);
    } catch (Throwable t) {
      call.fail(replyFor(t, call));
    }
    return true;
  }

  static Throwable replyFor(Throwable error, Call call) {
    IOException known = ErrorAdapter.adapt(error);
    if (known != null) {
      return known;
    }
    if (error instanceof IllegalArgumentException) {
      LOG.debug("{} of {} is not possible", call.method().name(), call.connection(), error);
    } else {
      LOG.error("{} of {} failed", call.method().name(), call.connection(), error);
    }
    return error instanceof LinkageError
        ? new DoNotRetryIOException(error)
        : new IOException(error.toString(), error);
  }

  private static void refuse(Connection connection, RequestHeader header, IOException error) {
    refuse(connection, header, error, error.toString());
  }

  private static void refuse(
      Connection connection, RequestHeader header, Throwable error, String text) {
    IOException shown = error instanceof IOException io ? io : new IOException(error);
    ResponseHeader reply =
        ResponseHeader.newBuilder()
            .setCallId(header.getCallId())
            .setException(ErrorReply.of(shown, text))
            .build();
    connection.send(Frames.writeHead(connection.allocator(), reply, null, 0), null);
  }

  /** Bytes of the requests in flight. */
  public long bytesInFlight() {
    return limits.bytes();
  }

  /** Calls that wait for the general pool. */
  public int queuedCalls() {
    return general.queued();
  }

  /** Calls that wait for the priority pool. */
  public int queuedPriorityCalls() {
    return priority.queued();
  }

  /** Calls that wait for a time, without a handler. */
  public int delayedCalls() {
    return delayed.count();
  }

  /** Handlers of both pools that run a call. */
  public int activeHandlers() {
    return general.active() + priority.active();
  }

  /** Refuses new calls, gives up those that wait, and lets those that run finish. */
  @Override
  public void close() {
    closed = true;
    delayed.close();
    general.close();
    priority.close();
  }
}

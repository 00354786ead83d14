package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.filter.pattern.SearchTime;
import org.grampus.compat.protocol.CellBlockCompressor;
import org.grampus.compat.protocol.ClientVersion;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.env.Env;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call: its request, and the way back for one reply. The thread that runs the call owns it
 * until it replies or hands it on; reply, fail and drop may come from any thread and only the first
 * counts. The request's cell block is released with it.
 */
public final class Call {
  private static final Logger LOG = LoggerFactory.getLogger(Call.class);

  /** Heads of replies up to this need no reservation: a thread makes one at a time. */
  private static final int SMALL_REPLY_BYTES = Rank.SMALL_BYTES;

  private final Connection connection;
  private final RpcMethod method;
  private final RequestHeader header;
  private final Message param;
  private final CallMemory memory;
  private final int requestBytes;
  private final long receivedNanos;
  private final long deadlineNanos;
  private final CallLimits limits;
  private final CallObserver observer;
  private final AtomicBoolean done = new AtomicBoolean();
  private final CellBlock cells;
  private SearchTime searchTime;
  private long waitsSinceNanos;
  private long startedNanos;
  private long waitedNanos;
  private long replyBytes;
  private long scannedBytes;
  private Supplier<String> place;
  private long endedNanos;
  private CallProgress progress;
  private long delayNanos;
  private boolean admitted;
  private boolean applied;
  private boolean compressed;

  Call(
      Arrival arrival,
      RpcMethod method,
      Message param,
      CellBlock cells,
      long deadlineNanos,
      CallLimits limits,
      CallObserver observer) {
    this.connection = arrival.connection();
    this.header = arrival.header();
    this.memory = arrival.memory();
    this.requestBytes = arrival.frameBytes();
    this.receivedNanos = arrival.receivedNanos();
    this.waitsSinceNanos = receivedNanos;
    this.method = method;
    this.param = param;
    this.cells = cells;
    this.deadlineNanos = deadlineNanos;
    this.limits = limits;
    this.observer = observer;
  }

  /** The method called. */
  public RpcMethod method() {
    return method;
  }

  /** The request's header. */
  public RequestHeader header() {
    return header;
  }

  /** The request's message. */
  public Message param() {
    return param;
  }

  /** The request's cells, expanded, or null. Valid until the call is done; owned by the call. */
  public ByteBuf cells() {
    return cells.cells();
  }

  /** Expands the cells; false when that is too much for an event loop. */
  boolean expandCells(boolean mayBlock) throws IOException {
    return cells.expand(connection.allocator(), memory, mayBlock);
  }

  /** Whether the cells are expanded, or there are none. */
  boolean cellsAreExpanded() {
    return cells.isExpanded();
  }

  /** What the call holds of the server's memory, and where it takes more. */
  public CallMemory memory() {
    return memory;
  }

  /** The connection that the call came over. */
  public Connection connection() {
    return connection;
  }

  /** The client's version. */
  public ClientVersion clientVersion() {
    return connection.profile().version();
  }

  /** Whether the reply may carry a cell block. */
  public boolean clientReadsCellBlocks() {
    return connection.profile().codec().hasCellBlocks();
  }

  /** Whether cells in the reply's cell block come with their tags. */
  public boolean clientReadsTags() {
    return connection.profile().codec().hasTags();
  }

  /** Bytes of the request's frame. */
  public int requestBytes() {
    return requestBytes;
  }

  /** When the request had arrived, as {@link System#nanoTime}. */
  public long receivedNanos() {
    return receivedNanos;
  }

  /** A run begins: what was before it the call has waited. */
  void started() {
    startedNanos = Env.nanos();
    waitedNanos += startedNanos - waitsSinceNanos;
  }

  /** A run has ended without a reply: the call waits for its next. */
  void waits() {
    waitsSinceNanos = Env.nanos();
  }

  /**
   * How long it has waited in all, in nanoseconds: from its arrival to its first run, which
   * includes its decoding, and between runs.
   */
  public long waitedNanos() {
    return waitedNanos;
  }

  /**
   * How long its last run has taken, in nanoseconds: until its answer, or until now without one.
   */
  public long ranNanos() {
    return (endedNanos == 0 ? Env.nanos() : endedNanos) - startedNanos;
  }

  /** When it was answered, as {@link System#nanoTime}; only then. */
  public long endedNanos() {
    return endedNanos;
  }

  /** Bytes of the reply's frame; 0 without one. */
  public long replyBytes() {
    return replyBytes;
  }

  /** Notes bytes of cells that the call scanned. By the thread that runs it. */
  public void addScannedBytes(long bytes) {
    scannedBytes += bytes;
  }

  /** Bytes of cells that the call has scanned so far. */
  public long scannedBytes() {
    return scannedBytes;
  }

  /** What the searches for patterns in its values have taken. By the thread that runs it. */
  public SearchTime searchTime() {
    if (searchTime == null) {
      searchTime = new SearchTime();
    }
    return searchTime;
  }

  /** Notes where the call reads, which its request does not say; asked only for a slow call. */
  public void at(Supplier<String> where) {
    place = where;
  }

  /** Where the call reads; null where that was not noted. */
  public String place() {
    return place == null ? null : place.get();
  }

  /** Whether the client said how long it waits. */
  public boolean hasDeadline() {
    return deadlineNanos != Dispatcher.NO_DEADLINE;
  }

  /** When the client gives up, as {@link System#nanoTime}; only with {@link #hasDeadline}. */
  public long deadlineNanos() {
    return deadlineNanos;
  }

  /** Whether the client has given up. */
  public boolean isPastDeadline() {
    return hasDeadline() && Env.nanos() - deadlineNanos > 0;
  }

  /** Whether no client waits for the reply any more. */
  public boolean isAbandoned() {
    return !connection.isOpen() || isPastDeadline();
  }

  /** What the method left here when it returned false; null at first. */
  public CallProgress progress() {
    return progress;
  }

  /** Keeps the method's state for the next run, or forgets it with null. */
  public void progress(CallProgress state) {
    progress = state;
  }

  /** Asks to be run again after a delay; the method then returns false. */
  public void delay(long nanos) {
    delayNanos = nanos;
  }

  /** The delay that the last run asked for, 0 for none, and forgets it. */
  long takeDelay() {
    long nanos = delayNanos;
    delayNanos = 0;
    return nanos;
  }

  /** The batch that has just run was asked to wait, or to run elsewhere; not again. */
  public void admit() {
    admitted = true;
  }

  /** Whether the batch that runs next was admitted before; forgets it, for it goes for one run. */
  public boolean takeAdmitted() {
    boolean taken = admitted;
    admitted = false;
    return taken;
  }

  /**
   * A write of the call was applied. From now on no want of memory may refuse the call: to a client
   * CallQueueTooBigException means that nothing was done, and it would do it again.
   */
  public void applied() {
    applied = true;
  }

  /** Replies with a message. */
  public void reply(Message message) {
    reply(message, null);
  }

  /**
   * Replies with a message and cells, and takes over the buffer. A buffer whose reader index leaves
   * room gets the frame's head in front of its cells and travels as one.
   */
  public void reply(Message message, ByteBuf cellBlock) {
    if (!done.compareAndSet(false, true)) {
      ReferenceCountUtil.release(cellBlock);
      return;
    }
    Throwable error = null;
    try {
      if (connection.isOpen()) {
        send(message, cellBlock);
      } else {
        ReferenceCountUtil.release(cellBlock);
      }
    } catch (CallQueueTooBigException | DoNotRetryIOException e) {
      error = e;
      sendError(e);
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      error = e;
      LOG.warn("cannot encode the reply to {} of {}", method.name(), connection, e);
      sendError(e);
    } finally {
      finish();
      endedNanos = Env.nanos();
      observer.finished(this, error);
    }
  }

  private void send(Message message, ByteBuf cellBlock) throws IOException {
    if (cellBlock == null || !cellBlock.isReadable()) {
      ReferenceCountUtil.release(cellBlock);
      ResponseHeader replyHeader = responseHeader(0);
      reserveReply(Frames.headBytes(replyHeader, message));
      ByteBuf head = Frames.writeHead(connection.allocator(), replyHeader, message, 0);
      replyBytes = head.readableBytes();
      connection.send(head, null, memory.take(MemoryUse.REPLIES));
      return;
    }
    ByteBuf block = compress(cellBlock);
    try {
      ReplyBuffer.fit(block);
      ResponseHeader replyHeader = responseHeader(block.readableBytes());
      int headBytes = Frames.headBytes(replyHeader, message);
      reserveReply(headBytes);
      replyBytes = (long) headBytes + block.readableBytes();
      if (block.readerIndex() >= headBytes) {
        int start = block.readerIndex() - headBytes;
        Frames.setHead(block, start, replyHeader, message, block.readableBytes());
        connection.send(block.readerIndex(start).retain(), null, memory.take(MemoryUse.REPLIES));
      } else {
        ByteBuf head =
            Frames.writeHead(connection.allocator(), replyHeader, message, block.readableBytes());
        connection.send(head, block.retain(), memory.take(MemoryUse.REPLIES));
      }
    } finally {
      block.release();
    }
  }

  private void reserveReply(int bytes) throws IOException {
    if (bytes <= SMALL_REPLY_BYTES) {
      return;
    }
    if (applied) {
      memory.force(MemoryUse.REPLIES, bytes);
    } else {
      memory.require(MemoryUse.REPLIES, bytes, "a reply");
    }
  }

  /**
   * Compresses the cells of the coming reply, once, and takes over their buffer. For the thread
   * that has made them: that the reply leaves on may be an event loop, and this may take seconds.
   */
  ByteBuf compress(ByteBuf cellBlock) throws IOException {
    CellBlockCompressor compressor = connection.profile().compressor();
    boolean isEmpty = cellBlock == null || !cellBlock.isReadable();
    if (compressor == null || compressed || isEmpty || !connection.isOpen()) {
      return cellBlock;
    }
    compressed = true;
    try {
      reserveReply(cellBlock.readableBytes());
      return compressor.compress(connection.allocator(), cellBlock);
    } finally {
      cellBlock.release();
    }
  }

  private ResponseHeader responseHeader(int cellBytes) {
    ResponseHeader.Builder reply = ResponseHeader.newBuilder().setCallId(header.getCallId());
    if (cellBytes > 0) {
      reply.setCellBlockMeta(CellBlockMeta.newBuilder().setLength(cellBytes));
    }
    return reply.build();
  }

  /** Replies with an error, in the form that {@link ErrorReply} describes. */
  public void fail(Throwable error) {
    fail(error, ErrorReply.of(error));
  }

  /** Replies with an error and another text. */
  void fail(Throwable error, String text) {
    fail(error, ErrorReply.of(error, text));
  }

  private void fail(Throwable error, ExceptionResponse reply) {
    if (!done.compareAndSet(false, true)) {
      return;
    }
    try {
      if (connection.isOpen()) {
        sendError(reply);
      }
    } finally {
      finish();
      endedNanos = Env.nanos();
      observer.finished(this, error);
    }
  }

  private void sendError(Throwable error) {
    sendError(ErrorReply.of(error));
  }

  private void sendError(ExceptionResponse error) {
    ResponseHeader reply =
        ResponseHeader.newBuilder().setCallId(header.getCallId()).setException(error).build();
    ByteBuf head = Frames.writeHead(connection.allocator(), reply, null, 0);
    replyBytes = head.readableBytes();
    connection.send(head);
  }

  /**
   * Gives up a call that waits to be run, further or at all. If a part of it was done, its reply
   * says which; otherwise the error is its reply and means that nothing was done.
   */
  void giveUp(IOException error) {
    if (progress == null || !progress.finish(error)) {
      fail(error);
    }
  }

  /** Whether the call has had its reply, or will have none. */
  boolean isDone() {
    return done.get();
  }

  /** Ends the call without a reply. */
  public void drop() {
    if (done.compareAndSet(false, true)) {
      finish();
      observer.dropped(this);
    }
  }

  /** Lets go what the call holds. */
  private void finish() {
    cells.release();
    if (progress != null) {
      progress.abandon();
      progress = null;
    }
    memory.close();
    limits.leave(requestBytes);
  }
}

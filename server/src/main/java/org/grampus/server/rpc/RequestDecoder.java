package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;
import org.grampus.compat.protocol.Frames;
import org.grampus.compat.protocol.MessageShape;
import org.grampus.compat.protocol.Varint;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;

/**
 * From a request's frame to its call. What the messages will take on the heap is estimated from
 * their bytes and reserved before they are parsed. Any thread.
 */
final class RequestDecoder {
  /** Messages above this are parsed on a pool: they may take the event loop too long. */
  private static final int EVENT_LOOP_BYTES = 256 << 10;

  /**
   * Messages up to this are reserved by their bound while memory is plentiful, unseen: a walk over
   * the fields of a put of 1 KB takes nearly one percent of what the put does.
   */
  private static final int UNSEEN_BYTES = 2048;

  /** Headers up to this take less than {@link #MAX_HEADER_HEAP_BYTES}, whatever is in them. */
  private static final int UNSEEN_HEADER_BYTES = 1024;

  /** What a header may take before its sender is known; it lives as long as its call. */
  private static final int MAX_HEADER_HEAP_BYTES = 256 << 10;

  /** What a call on a system table takes at most of what is kept for such calls. */
  private static final long SYSTEM_BYTES = Rank.MEDIUM_BYTES;

  private static final MessageShape HEADER = MessageShape.of(RequestHeader.getDescriptor());

  private final RpcServerConfig config;
  private final MemoryAccount account;
  private final CallObserver observer;

  RequestDecoder(RpcServerConfig config, MemoryAccount account, CallObserver observer) {
    this.config = config;
    this.account = account;
    this.observer = observer;
  }

  /**
   * Reads the header at the frame's beginning.
   *
   * @throws IOException when there is none, which ends the connection
   */
  static RequestHeader header(ByteBuf frame) throws IOException {
    int length = Frames.readLength(frame);
    if (length > UNSEEN_HEADER_BYTES) {
      long bytes = HEADER.estimate(frame, frame.readerIndex(), length, MAX_HEADER_HEAP_BYTES);
      if (bytes > MAX_HEADER_HEAP_BYTES) {
        throw new IOException(
            "request header would take more than " + MAX_HEADER_HEAP_BYTES + " bytes");
      }
    }
    return Frames.readMessage(frame, length, RequestHeader.getDefaultInstance());
  }

  /** Whether the message behind the header is too large for an event loop. */
  static boolean isLarge(ByteBuf frame) throws IOException {
    int start = frame.readerIndex();
    if (frame.readableBytes() <= EVENT_LOOP_BYTES) {
      return false;
    }
    int length = Frames.readLength(frame);
    frame.readerIndex(start);
    return length > EVENT_LOOP_BYTES;
  }

  /**
   * Takes memory for a frame that lies in what was read; false when there is none. A small one
   * without cells takes none while memory is plentiful: it is released before the next is read.
   */
  static boolean reserveFrame(CallMemory memory, RequestHeader header, int bytes) {
    boolean isGoneSoon = bytes <= UNSEEN_BYTES && !header.hasCellBlockMeta();
    return (isGoneSoon && memory.isPlentiful(MemoryUse.REQUESTS))
        || reserve(memory, MemoryUse.REQUESTS, bytes);
  }

  private static boolean reserve(CallMemory memory, MemoryUse use, long bytes) {
    if (memory.tryReserve(use, bytes, Rank.of(bytes))) {
      return true;
    }
    // A call on a system table may be in there: it is decoded, and refused if it is none.
    return bytes <= SYSTEM_BYTES && memory.tryReserve(use, bytes, Rank.SYSTEM);
  }

  /** Reads the message and finds the cells; the call owns what it needs of the frame. */
  Call decode(Arrival arrival, CallLimits limits) throws IOException {
    RequestHeader header = arrival.header();
    if (!header.getRequestParam()) {
      throw new DoNotRetryIOException(
          "Invalid request header: "
              + TextFormat.printer().emittingSingleLine(true).printToString(header)
              + ", should have param set in it");
    }
    RpcMethod method = arrival.connection().service().method(header.getMethodName());
    if (method == null) {
      throw new DoNotRetryIOException(new UnsupportedOperationException(header.getMethodName()));
    }
    ByteBuf frame = arrival.frame();
    Message param = message(arrival, method);
    CellBlock cells = cells(arrival, frame);
    return new Call(
        arrival, method, param, cells, deadline(header, arrival.receivedNanos()), limits, observer);
  }

  /**
   * Takes the memory of a small call that leaves its event loop, where it has not been taken; false
   * when there is none.
   */
  static boolean reserveOnLeaving(Call call) {
    if (!call.method().endsOrDoesNothing() || call.memory().held(MemoryUse.MESSAGES) > 0) {
      return true;
    }
    int bytes = Math.min(call.requestBytes(), UNSEEN_BYTES); // the rest are cells
    return call.memory().tryReserve(MemoryUse.MESSAGES, MessageShape.bound(bytes));
  }

  private Message message(Arrival arrival, RpcMethod method) throws IOException {
    ByteBuf frame = arrival.frame();
    int headerBytes = arrival.frameBytes() - frame.readableBytes();
    int length = Frames.readLength(frame);
    CallMemory memory = arrival.memory();
    int seen = headerBytes + length;
    Message prototype = method.prototype();
    if (seen <= UNSEEN_BYTES
        && method.endsOrDoesNothing()
        && memory.isPlentiful(MemoryUse.MESSAGES)) {
      return Frames.readMessage(frame, length, prototype); // an event loop has one at a time
    }
    if (seen > UNSEEN_BYTES
        || !memory.tryReserve(MemoryUse.MESSAGES, MessageShape.bound(seen), Rank.MEDIUM)) {
      reserveMessage(arrival, prototype, headerBytes, length);
    }
    if (length > Rank.SMALL_BYTES) {
      memory.require(MemoryUse.REQUESTS, length, "a copy of the request");
    }
    return Frames.readMessage(frame, length, prototype);
  }

  /**
   * The refusal of a message that is longer than any may be, or null when it is not.
   *
   * @param message the frame from the message's length on; the length is read from it
   * @throws IOException when the bytes hold no valid length
   */
  IOException tooLongRefusal(Connection connection, ByteBuf message) throws IOException {
    int length = Varint.readLength(message);
    long most = account.pool(MemoryUse.MESSAGES).largest();
    return length <= most ? null : tooLarge(connection, length, most);
  }

  private void reserveMessage(Arrival arrival, Message prototype, int headerBytes, int length)
      throws IOException {
    ByteBuf frame = arrival.frame();
    long most = account.pool(MemoryUse.MESSAGES).largest();
    long bytes =
        MessageShape.of(prototype.getDescriptorForType())
            .estimate(frame, frame.readerIndex(), length, most);
    if (bytes > most) {
      account.refused();
      throw tooLarge(arrival.connection(), length, most);
    }
    bytes += MessageShape.bound(0) + headerBytes * 2L;
    if (!reserve(arrival.memory(), MemoryUse.MESSAGES, bytes)) {
      account.refused();
      throw new CallQueueTooBigException(
          "No memory now for a request of " + length + " bytes; try again");
    }
  }

  private static IOException tooLarge(Connection connection, int length, long most) {
    String text =
        "Request of "
            + length
            + " bytes from "
            + connection.peer()
            + " would take more than "
            + most
            + " bytes on the heap; send less at once, or cells in a cell block";
    return connection.profile().version().readsGetCellBlock()
        ? new RequestTooBigException(text)
        : new DoNotRetryIOException(text);
  }

  private CellBlock cells(Arrival arrival, ByteBuf frame) throws IOException {
    RequestHeader header = arrival.header();
    if (!header.hasCellBlockMeta()) {
      return CellBlock.NONE;
    }
    int length = header.getCellBlockMeta().getLength();
    if (length < 0 || length > frame.readableBytes()) {
      throw new IOException("cell block of " + length + " bytes in " + frame.readableBytes());
    }
    if (!arrival.connection().profile().codec().hasCellBlocks()) {
      throw new DoNotRetryIOException("cell block on a connection without a cell codec");
    }
    return new CellBlock(
        frame.readRetainedSlice(length),
        arrival.connection().profile().compressor(),
        config.maxRequestBytes());
  }

  private long deadline(RequestHeader header, long receivedNanos) {
    if (header.getTimeout() <= 0) {
      return Dispatcher.NO_DEADLINE;
    }
    long millis = Math.max(config.minClientTimeoutMillis(), header.getTimeout());
    long deadline = receivedNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    return deadline == Dispatcher.NO_DEADLINE ? deadline + 1 : deadline;
  }
}

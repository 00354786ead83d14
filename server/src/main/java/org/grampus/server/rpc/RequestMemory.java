package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.RequestTooBigException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.protocol.MessageShape;
import org.grampus.compat.protocol.Varint;
import org.grampus.server.memory.CallMemory;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;

/**
 * What a request reserves before its call runs: for its frame, for its message, or only when it
 * leaves its event loop. What a message will take on the heap is estimated from its bytes. Any
 * thread.
 */
final class RequestMemory {
  /**
   * Header and message together. Up to this a message is reserved by its bound while memory is
   * plentiful, or not before it leaves its event loop: a walk over the fields of a put of 1 KB
   * takes nearly one percent of what the put does.
   */
  private static final int SMALL_REQUEST_BYTES = 2048;

  /** What a call on a system table takes at most of what is kept for such calls. */
  private static final long SYSTEM_BYTES = Rank.MEDIUM_BYTES;

  private final MemoryAccount account;

  RequestMemory(MemoryAccount account) {
    this.account = account;
  }

  /**
   * Takes memory for a frame that lies in what was read; false when there is none. A small one
   * without cells takes none while memory is plentiful: it is released before the next is read.
   */
  static boolean reserveFrame(CallMemory memory, RequestHeader header, int bytes) {
    boolean isGoneSoon = bytes <= SMALL_REQUEST_BYTES && !header.hasCellBlockMeta();
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

  /**
   * Takes memory for a message before it is parsed. A small one of a method that can be refused
   * after its try takes none while memory is plentiful.
   *
   * @param headerBytes of the frame in front of the message, the lengths of both included
   * @param length of the message, which begins at the frame's reader index
   * @throws IOException when there is no memory, or never so much
   */
  void reserveMessage(Arrival arrival, RpcMethod method, int headerBytes, int length)
      throws IOException {
    CallMemory memory = arrival.memory();
    int bytes = headerBytes + length;
    boolean isSmall = bytes <= SMALL_REQUEST_BYTES;
    if (isSmall && method.isRefusableAfterTry() && memory.isPlentiful(MemoryUse.MESSAGES)) {
      return; // an event loop runs one at a time
    }
    if (!isSmall
        || !memory.tryReserve(MemoryUse.MESSAGES, MessageShape.bound(bytes), Rank.MEDIUM)) {
      reserveWalked(arrival, method.prototype(), headerBytes, length);
    }
    if (length > Rank.SMALL_BYTES) {
      memory.require(MemoryUse.REQUESTS, length, "a copy of the request");
    }
  }

  private void reserveWalked(Arrival arrival, Message prototype, int headerBytes, int length)
      throws IOException {
    long most = account.pool(MemoryUse.MESSAGES).largest();
    long bytes = walk(prototype, arrival.frame(), length, most);
    if (bytes > most) {
      account.refused();
      throw tooLarge(arrival.connection(), length, most);
    }
    if (!reserve(arrival.memory(), MemoryUse.MESSAGES, withHeader(bytes, headerBytes))) {
      account.refused();
      throw new CallQueueTooBigException(
          "No memory now for a request of " + length + " bytes; try again");
    }
  }

  private static long walk(Message prototype, ByteBuf bytes, int length, long most) {
    return MessageShape.of(prototype.getDescriptorForType())
        .estimate(bytes, bytes.readerIndex(), length, most);
  }

  private static long withHeader(long messageHeapBytes, int headerBytes) {
    return messageHeapBytes + MessageShape.bound(0) + headerBytes * 2L;
  }

  /**
   * Takes memory for the message of a call that leaves its event loop, where {@link
   * #reserveMessage} has taken none; false when there is none. What a walk comes to is taken at the
   * rank of calls on system tables if the call is one.
   */
  static boolean reserveOnLeaving(Call call) {
    CallMemory memory = call.memory();
    if (!call.method().isRefusableAfterTry() || memory.held(MemoryUse.MESSAGES) > 0) {
      return true;
    }
    int bytes = Math.min(call.requestBytes(), SMALL_REQUEST_BYTES); // the rest are cells
    return memory.tryReserve(MemoryUse.MESSAGES, MessageShape.bound(bytes), Rank.MEDIUM)
        || memory.tryReserve(MemoryUse.MESSAGES, walkAgain(call.param(), bytes));
  }

  /** As {@link #reserveWalked}, once the frame is gone. */
  private static long walkAgain(Message message, int bytes) {
    ByteBuf encoded = Unpooled.wrappedBuffer(message.toByteArray());
    int length = encoded.readableBytes();
    return withHeader(walk(message, encoded, length, Long.MAX_VALUE), Math.max(bytes - length, 0));
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
}

package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.TextFormat;
import org.grampus.compat.protocol.Frames;
import org.grampus.compat.protocol.MessageShape;

/**
 * From a request's frame to its call, for which {@link RequestMemory} has reserved what it has to.
 * Any thread.
 */
final class RequestDecoder {
  /** Messages above this are parsed on a pool: they may take the event loop too long. */
  private static final int PARSED_ON_LOOP_BYTES = 256 << 10;

  /** Headers up to this take less than {@link #MAX_HEADER_HEAP_BYTES}, whatever is in them. */
  private static final int UNSEEN_HEADER_BYTES = 1024;

  /** What a header may take before its sender is known; it lives as long as its call. */
  private static final int MAX_HEADER_HEAP_BYTES = 256 << 10;

  private static final MessageShape HEADER = MessageShape.of(RequestHeader.getDescriptor());

  private final RpcServerConfig config;
  private final RequestMemory requests;
  private final CallObserver observer;

  RequestDecoder(RpcServerConfig config, RequestMemory requests, CallObserver observer) {
    this.config = config;
    this.requests = requests;
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
    if (frame.readableBytes() <= PARSED_ON_LOOP_BYTES) {
      return false;
    }
    int length = Frames.readLength(frame);
    frame.readerIndex(start);
    return length > PARSED_ON_LOOP_BYTES;
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

  private Message message(Arrival arrival, RpcMethod method) throws IOException {
    ByteBuf frame = arrival.frame();
    int headerBytes = arrival.frameBytes() - frame.readableBytes();
    int length = Frames.readLength(frame);
    requests.reserveMessage(arrival, method, headerBytes, length);
    return Frames.readMessage(frame, length, method.prototype());
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

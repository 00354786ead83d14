package org.grampus.compat.mutate;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.MutationReply;

/**
 * Reads the output of a mutation batch, one operation after the other (docs/jni.md). One thread;
 * reusable.
 */
public final class MutationOutput {
  private ByteBuf out;
  private int next;
  private int end;
  private int status;
  private int errorKind;
  private int payload;
  private int payloadLength;

  /** Starts before the first operation of an output. */
  public MutationOutput reset(ByteBuf output, int index, int length) {
    out = output;
    next = index;
    end = index + length;
    return this;
  }

  /** Moves to the next operation. */
  public void next() {
    if (end - next < MutationReply.HEADER_BYTES) {
      throw new EngineException(ErrorKind.BUG, "the engine's output ends before its operations do");
    }
    status = out.getUnsignedByte(next + MutationReply.STATUS);
    errorKind = out.getUnsignedByte(next + MutationReply.ERROR_KIND);
    payloadLength = out.getIntLE(next + MutationReply.PAYLOAD_LENGTH);
    payload = next + MutationReply.HEADER_BYTES;
    if (payloadLength < 0 || payloadLength > end - payload) {
      throw new EngineException(ErrorKind.BUG, "the engine's output has a wrong length");
    }
    next = payload + payloadLength;
  }

  /** Whether the operation failed. */
  public boolean failed() {
    return status == MutationReply.FAILED;
  }

  /** Whether the operation's condition, if it has one, held. */
  public boolean matched() {
    return status != MutationReply.NOT_MATCHED;
  }

  /** The cells that the operation returns; 0 when it returns none. */
  public int cellCount() {
    return status == MutationReply.DONE_WITH_CELLS ? out.getIntLE(payload) : 0;
  }

  /** Whether the operation has a result, which may be empty. */
  public boolean hasCells() {
    return status == MutationReply.DONE_WITH_CELLS;
  }

  /** The output, in which the indexes of returned cells lie. */
  public ByteBuf buffer() {
    return out;
  }

  /** Index of the first returned cell in the output. */
  public int cellsStart() {
    return payload + Integer.BYTES;
  }

  /** Bytes of the returned cells. */
  public int cellsLength() {
    return payloadLength - Integer.BYTES;
  }

  /** The failure as HBase's exception. */
  public IOException error() {
    return ErrorAdapter.adapt(ErrorKind.ofCode(errorKind), message());
  }

  /** The failure as the exception that HBase gives one put or delete of a batch. */
  public IOException errorInBatch() {
    return ErrorAdapter.adaptInBatch(ErrorKind.ofCode(errorKind), message());
  }

  private String message() {
    return out.toString(payload, payloadLength, StandardCharsets.UTF_8);
  }
}

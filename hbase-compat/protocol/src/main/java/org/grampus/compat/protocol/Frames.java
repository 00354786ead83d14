package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedInputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.ExtensionRegistryLite;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * Frames of calls and replies.
 *
 * <pre>
 * request := int32 length | varint length | RequestHeader | varint length | parameter | cell block
 * reply   := int32 length | varint length | ResponseHeader | varint length | message | cell block
 * </pre>
 *
 * The first length does not count itself. A reply with an exception has no message.
 */
public final class Frames {
  /** Bytes of the length that opens a frame. */
  public static final int LENGTH_BYTES = Integer.BYTES;

  private Frames() {}

  /** Reads the length of a message that follows it in the same buffer. */
  public static int readLength(ByteBuf in) throws IOException {
    int length = Varint.readLength(in);
    if (length > in.readableBytes()) {
      throw new IOException("message of " + length + " bytes in " + in.readableBytes());
    }
    return length;
  }

  /**
   * Reads a message of this length, which must be there; its byte strings share one copy of the
   * bytes. What it takes on the heap is for the caller to bound ({@link MessageShape}).
   */
  public static <M extends Message> M readMessage(ByteBuf in, int length, M prototype)
      throws IOException {
    byte[] bytes = new byte[length];
    in.readBytes(bytes);
    CodedInputStream coded = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
    coded.enableAliasing(true);
    @SuppressWarnings("unchecked")
    M message =
        (M) prototype.getParserForType().parseFrom(coded, ExtensionRegistryLite.getEmptyRegistry());
    coded.checkLastTagWas(0);
    return message;
  }

  /** Bytes of a reply before its cell block. */
  public static int headBytes(ResponseHeader header, Message message) {
    int bytes = LENGTH_BYTES + delimitedBytes(header);
    return message == null ? bytes : bytes + delimitedBytes(message);
  }

  /**
   * Writes a reply before its cell block into a new direct buffer.
   *
   * @param message the reply's message, or null when the header has an exception
   * @param cellBytes length of the cell block that will follow
   */
  public static ByteBuf writeHead(
      ByteBufAllocator allocator, ResponseHeader header, Message message, int cellBytes) {
    int size = headBytes(header, message);
    ByteBuf out = allocator.directBuffer(size, size);
    setHead(out, 0, header, message, cellBytes);
    return out.writerIndex(size);
  }

  /** As {@link #writeHead}, at an index of a buffer that has room; moves no index. */
  public static void setHead(
      ByteBuf out, int index, ResponseHeader header, Message message, int cellBytes) {
    int size = headBytes(header, message);
    out.setInt(index, size - LENGTH_BYTES + cellBytes);
    CodedOutputStream coded =
        CodedOutputStream.newInstance(out.nioBuffer(index + LENGTH_BYTES, size - LENGTH_BYTES));
    try {
      writeDelimited(coded, header);
      if (message != null) {
        writeDelimited(coded, message);
      }
      coded.flush();
      coded.checkNoSpaceLeft();
    } catch (IOException e) {
      throw new IllegalStateException("a reply's head is not as long as it said", e);
    }
  }

  private static int delimitedBytes(Message message) {
    int size = message.getSerializedSize();
    return Varint.size(size) + size;
  }

  private static void writeDelimited(CodedOutputStream out, Message message) throws IOException {
    out.writeUInt32NoTag(message.getSerializedSize());
    message.writeTo(out);
  }
}

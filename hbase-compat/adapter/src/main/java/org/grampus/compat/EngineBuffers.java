package org.grampus.compat;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.grampus.compat.protocol.KeyValueWriter;

/** The little-endian parts that engine requests are made of. */
public final class EngineBuffers {
  private EngineBuffers() {}

  /** {@code u32 length | bytes}. */
  public static void bytes(ByteBuf out, ByteString value) {
    out.writeIntLE(value.size());
    KeyValueWriter.append(out, value);
  }

  /** {@code u32 length | bytes}. */
  public static void bytes(ByteBuf out, byte[] value) {
    out.writeIntLE(value.length);
    out.writeBytes(value);
  }

  /** {@code u32 length | bytes} of UTF-8. */
  public static void text(ByteBuf out, String value) {
    bytes(out, value.getBytes(StandardCharsets.UTF_8));
  }

  /** {@code u8}, 0 or 1. */
  public static void flag(ByteBuf out, boolean value) {
    out.writeByte(value ? 1 : 0);
  }

  /** Room for a length that is known later; returns its index. */
  public static int beginBytes(ByteBuf out) {
    int index = out.writerIndex();
    out.writeIntLE(0);
    return index;
  }

  /** Sets the length of what was written since {@link #beginBytes}. */
  public static void endBytes(ByteBuf out, int index) {
    out.setIntLE(index, out.writerIndex() - index - Integer.BYTES);
  }
}

package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;

/** Protobuf's unsigned 32-bit varints over byte buffers. */
public final class Varint {
  private static final int PAYLOAD_BITS = 7;
  private static final int PAYLOAD_MASK = 0x7f;
  private static final int MAX_BYTES = 5;

  private Varint() {}

  /** Reads a length; refuses one that is negative, unfinished or longer than five bytes. */
  public static int readLength(ByteBuf in) throws IOException {
    long result = 0;
    for (int i = 0; i < MAX_BYTES; i++) {
      if (!in.isReadable()) {
        throw new IOException("truncated length");
      }
      byte b = in.readByte();
      result |= (long) (b & PAYLOAD_MASK) << (PAYLOAD_BITS * i);
      if (b >= 0) {
        if (result > Integer.MAX_VALUE) {
          throw new IOException("length out of range: " + result);
        }
        return (int) result;
      }
    }
    throw new IOException("malformed length");
  }

  /** Bytes that a value takes. */
  public static int size(int value) {
    return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + PAYLOAD_BITS - 1)
        / PAYLOAD_BITS;
  }
}

package org.grampus.perf.echo;

import java.nio.ByteBuffer;

/**
 * Frames as HBase's RPC has them: a length in four bytes, big-endian, then as many bytes. Both have
 * about the size of those of a get whose value is short.
 */
final class EchoFrames {
  /** Bytes of the length. */
  static final int LENGTH_BYTES = 4;

  /** Bytes behind the length of a request. */
  static final int REQUEST_BYTES = 160;

  /** Bytes behind the length of a reply. */
  static final int REPLY_BYTES = 64;

  private EchoFrames() {}

  /** A frame of zeros, its length included. */
  static byte[] frame(int bytes) {
    return ByteBuffer.allocate(LENGTH_BYTES + bytes).putInt(bytes).array();
  }

  /** The length that a frame begins with. */
  static int length(byte[] frame) {
    return ByteBuffer.wrap(frame).getInt();
  }
}

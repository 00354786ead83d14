package org.grampus.server.info;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes of a text that is mostly ASCII, gathered for an output stream. For one thread. */
final class AsciiText {
  private static final int FIRST_BYTES = 16 << 10;

  private byte[] bytes = new byte[FIRST_BYTES];
  private int length;

  /** Bytes that have been gathered and not yet written. */
  int length() {
    return length;
  }

  /** Drops what lies behind a length. */
  void truncate(int newLength) {
    length = newLength;
  }

  /** The byte at a place. */
  byte at(int index) {
    return bytes[index];
  }

  /** Adds a character below 128. */
  void add(char ascii) {
    reserve(1);
    bytes[length++] = (byte) ascii;
  }

  /** Adds a text, in UTF-8. */
  void add(String text) {
    add(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Adds bytes. */
  void add(byte[] more) {
    reserve(more.length);
    System.arraycopy(more, 0, bytes, length, more.length);
    length += more.length;
  }

  /** Adds what stands in this text already, from one place to another. */
  void repeat(int from, int to) {
    reserve(to - from);
    System.arraycopy(bytes, from, bytes, length, to - from);
    length += to - from;
  }

  /** The characters from a place to the end. */
  String from(int begin) {
    return new String(bytes, begin, length - begin, StandardCharsets.US_ASCII);
  }

  /** Writes all that has been gathered, and begins anew. */
  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
    length = 0;
  }

  private void reserve(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
    }
  }
}

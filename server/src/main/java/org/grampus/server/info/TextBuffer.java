package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;

/** Bytes of a text on their way to a stream. One thread. */
final class TextBuffer {
  static final int BYTES = 1 << 16;

  /** Digits of the largest number. */
  private static final int DIGITS = 19;

  private static final int RADIX = 10;

  private final byte[] bytes = new byte[BYTES];
  private final OutputStream out;
  private int length;

  TextBuffer(OutputStream out) {
    this.out = out;
  }

  void add(byte[] part) throws IOException {
    if (part.length > BYTES) {
      empty();
      out.write(part);
      return;
    }
    reserve(part.length);
    System.arraycopy(part, 0, bytes, length, part.length);
    length += part.length;
  }

  /** An ASCII character. */
  void add(char c) throws IOException {
    reserve(1);
    bytes[length++] = (byte) c;
  }

  /** As its {@code toString}; most are whole numbers, which need no text of their own. */
  void add(Number number) throws IOException {
    if ((number instanceof Long || number instanceof Integer) && number.longValue() >= 0) {
      addDigits(number.longValue());
    } else {
      add(number.toString().getBytes(UTF_8));
    }
  }

  private void addDigits(long number) throws IOException {
    reserve(DIGITS);
    int digits = 1;
    for (long rest = number / RADIX; rest > 0; rest /= RADIX) {
      digits++;
    }
    long rest = number;
    for (int at = length + digits; at > length; rest /= RADIX) {
      bytes[--at] = (byte) ('0' + rest % RADIX);
    }
    length += digits;
  }

  private void reserve(int more) throws IOException {
    if (length + more > BYTES) {
      empty();
    }
  }

  private void empty() throws IOException {
    out.write(bytes, 0, length);
    length = 0;
  }

  /** Gives the stream all of it. */
  void flush() throws IOException {
    empty();
    out.flush();
  }
}

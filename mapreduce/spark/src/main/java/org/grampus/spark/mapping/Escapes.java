package org.grampus.spark.mapping;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.grampus.mapreduce.files.PrintedBytes;

/** Families and qualifiers as a mapping has them: UTF-8, in which {@code \xNN} is a byte. */
final class Escapes {
  private static final Pattern TEXT = Pattern.compile("(?:[^\\\\]++|\\\\x[0-9A-Fa-f]{2})*+");

  /** Bytes that mean something in a mapping. */
  private static final String SPECIAL = ",=\\:*$";

  private Escapes() {}

  static byte[] parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a backslash begins no \\xNN; a backslash itself is \\x5C");
    }
    return PrintedBytes.parse(text);
  }

  static String text(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte value : bytes) {
      boolean plain = value > ' ' && value < 0x7F && SPECIAL.indexOf(value) < 0;
      text.append(plain ? String.valueOf((char) value) : String.format("\\x%02X", value));
    }
    return text.toString();
  }

  /** The name of a column that is given none. */
  static String name(byte[] family, byte[] qualifier) {
    return qualifier.length == 0 ? shown(family) : shown(family) + "_" + shown(qualifier);
  }

  /** What a name cannot have is {@code \xNN}, and so are bytes that are no UTF-8. */
  private static String shown(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(bytes.length);
    StringBuilder shown = new StringBuilder();
    CoderResult result;
    do {
      result = decoder.decode(in, out, true);
      append(shown, out.flip());
      out.clear();
      for (int i = 0; result.isMalformed() && i < result.length(); i++) {
        shown.append(String.format("\\x%02X", in.get()));
      }
      decoder.reset();
    } while (result.isMalformed());
    return shown.toString();
  }

  private static void append(StringBuilder shown, CharSequence valid) {
    valid
        .codePoints()
        .forEach(
            c -> {
              String one = Character.toString(c);
              boolean plain =
                  !Character.isISOControl(c)
                      && !Character.isWhitespace(c)
                      && !Character.isSpaceChar(c)
                      && ",:=".indexOf(c) < 0;
              if (plain) {
                shown.append(one);
              } else {
                for (byte value : one.getBytes(StandardCharsets.UTF_8)) {
                  shown.append(String.format("\\x%02X", value));
                }
              }
            });
  }
}

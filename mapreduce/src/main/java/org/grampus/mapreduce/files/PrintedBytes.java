package org.grampus.mapreduce.files;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bytes as text, such as downloads print them and row keys are given: UTF-8, {@code \xNN} for a
 * byte, and {@code \\} for a backslash.
 */
public final class PrintedBytes {
  private static final Pattern PART =
      Pattern.compile("(?<text>[^\\\\]+)|\\\\x(?<hex>[0-9A-Fa-f]{2})|(?<backslash>\\\\\\\\)");

  private PrintedBytes() {}

  /**
   * The bytes of a text.
   *
   * @throws IllegalArgumentException when a backslash begins nothing that is known
   */
  public static byte[] parse(String text) {
    if (text.indexOf('\\') < 0) {
      return text.getBytes(StandardCharsets.UTF_8);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find() && part.start() == end) {
      end = part.end();
      bytes.writeBytes(bytes(part));
    }
    if (end < text.length()) {
      throw new IllegalArgumentException(text + " has a backslash that is not of \\xNN or \\\\");
    }
    return bytes.toByteArray();
  }

  private static byte[] bytes(Matcher part) {
    if (part.group("hex") != null) {
      return HexFormat.of().parseHex(part.group("hex"));
    }
    String text = part.group("backslash") != null ? "\\" : part.group("text");
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

package org.grampus.mapreduce.download;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Row keys as text: UTF-8, {@code \xNN} for a byte, and {@code \\} for a backslash. */
final class KeyText {
  private static final Pattern PART =
      Pattern.compile("(?<text>[^\\\\]+)|\\\\x(?<hex>[0-9A-Fa-f]{2})|(?<backslash>\\\\\\\\)");

  private KeyText() {}

  /**
   * The key.
   *
   * @throws IllegalArgumentException when a backslash begins nothing that is known
   */
  static byte[] parse(String text) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    Matcher part = PART.matcher(text);
    int end = 0;
    while (part.find() && part.start() == end) {
      end = part.end();
      key.writeBytes(bytes(part));
    }
    if (end < text.length()) {
      throw new IllegalArgumentException(
          "the key " + text + " has a backslash that is not of \\xNN or \\\\");
    }
    return key.toByteArray();
  }

  private static byte[] bytes(Matcher part) {
    if (part.group("hex") != null) {
      return HexFormat.of().parseHex(part.group("hex"));
    }
    String text = part.group("backslash") != null ? "\\" : part.group("text");
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

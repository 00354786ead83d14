package org.grampus.server.info;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Names of metrics as HBase's {@code PrometheusHadoopServlet} writes them: the words of the record
 * and of the metric in lower case, with underscores between them. HBase finds the words by a
 * regular expression that looks back at each letter. This passes over a name once.
 */
final class PrometheusName {
  private static final byte OTHER = 0;
  private static final byte UNDERSCORE = 1;
  private static final byte DIGIT = 2;
  private static final byte LOWER = 3;
  private static final byte UPPER = 4;
  private static final byte[] KINDS = kinds();

  /** What makes a small letter of a capital one. */
  private static final int LOWER_BIT = 'a' - 'A';

  private PrometheusName() {}

  private static byte[] kinds() {
    byte[] kinds = new byte[1 << Byte.SIZE];
    kinds['_'] = UNDERSCORE;
    Arrays.fill(kinds, '0', '9' + 1, DIGIT);
    Arrays.fill(kinds, 'a', 'z' + 1, LOWER);
    Arrays.fill(kinds, 'A', 'Z' + 1, UPPER);
    return kinds;
  }

  /** The name of a record's metric, of ASCII letters, digits and underscores alone. */
  static byte[] of(String record, String metric) {
    // one byte for each code point: what is not ASCII separates words, whatever it is
    byte[] name = (record + capitalized(metric)).getBytes(StandardCharsets.ISO_8859_1);
    byte[] words = new byte[2 * name.length];
    int length = 0;
    byte before = OTHER;
    for (int at = 0; at < name.length; at++) {
      byte kind = kind(name[at]);
      if (kind == OTHER || (kind == UNDERSCORE && before != UNDERSCORE)) {
        words[length++] = '_';
      } else if (kind != UNDERSCORE) {
        if (kind == UPPER && beginsWord(before, name, at)) {
          words[length++] = '_';
        }
        words[length++] = (byte) (kind == UPPER ? name[at] + LOWER_BIT : name[at]);
      }
      before = kind;
    }
    return Arrays.copyOf(words, withoutEmptyWords(words, length));
  }

  /** Behind a small letter, or the last one of capitals before a small letter. */
  private static boolean beginsWord(byte before, byte[] name, int at) {
    return before == LOWER
        || (before == UPPER && at + 1 < name.length && kind(name[at + 1]) == LOWER);
  }

  /** Words that are empty are left out at the end, and only there. */
  private static int withoutEmptyWords(byte[] words, int length) {
    int end = length;
    while (end > 0 && words[end - 1] == '_') {
      end--;
    }
    return end;
  }

  private static byte kind(byte c) {
    return KINDS[Byte.toUnsignedInt(c)];
  }

  /** As Apache Commons' {@code StringUtils.capitalize}: by code point, in title case. */
  private static String capitalized(String metric) {
    if (metric.isEmpty()) {
      return metric;
    }
    int first = metric.codePointAt(0);
    int title = Character.toTitleCase(first);
    return title == first
        ? metric
        : Character.toString(title) + metric.substring(Character.charCount(first));
  }
}

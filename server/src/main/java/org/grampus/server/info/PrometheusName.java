package org.grampus.server.info;

/**
 * Names of metrics as HBase's {@code PrometheusHadoopServlet} writes them: the words of the record
 * and of the metric in lower case, with underscores between them. HBase finds the words by a
 * regular expression that looks back at each letter. This passes over a name once.
 */
final class PrometheusName {
  private static final char SEPARATOR = '_';
  private static final int ASCII = 128;

  private PrometheusName() {}

  /** Appends the name of a record's metric, of ASCII letters, digits and underscores alone. */
  static void append(AsciiText out, String record, String metric) {
    int begin = out.length();
    String name = record + capitalized(metric);
    int at = 0;
    while (at < name.length()) {
      at = isWord(name.charAt(at)) ? appendOfWord(out, name, at) : appendSeparator(out, name, at);
    }
    int end = out.length();
    while (end > begin && out.at(end - 1) == SEPARATOR) {
      end--; // words that are empty are left out at the end, and only there
    }
    out.truncate(end);
  }

  /** Returns the place of the next character. */
  private static int appendOfWord(AsciiText out, String name, int at) {
    char c = name.charAt(at);
    if (!isUpper(c)) {
      out.add(c);
    } else {
      if (beginsWord(name, at)) {
        out.add(SEPARATOR);
      }
      out.add((char) (c - 'A' + 'a'));
    }
    return at + 1;
  }

  /** One separator is underscores in a row, or one other code point. */
  private static int appendSeparator(AsciiText out, String name, int at) {
    out.add(SEPARATOR);
    if (name.charAt(at) >= ASCII) {
      return at + Character.charCount(name.codePointAt(at));
    }
    int next = at + 1;
    while (name.charAt(at) == SEPARATOR && next < name.length() && name.charAt(next) == SEPARATOR) {
      next++;
    }
    return next;
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

  /** Behind a small letter, or the last one of capitals before a small letter. */
  private static boolean beginsWord(String name, int at) {
    if (at == 0) {
      return false;
    }
    char before = name.charAt(at - 1);
    return isLower(before)
        || (isUpper(before) && at + 1 < name.length() && isLower(name.charAt(at + 1)));
  }

  private static boolean isWord(char c) {
    return isLower(c) || isUpper(c) || (c >= '0' && c <= '9');
  }

  private static boolean isUpper(char c) {
    return c >= 'A' && c <= 'Z';
  }

  private static boolean isLower(char c) {
    return c >= 'a' && c <= 'z';
  }
}

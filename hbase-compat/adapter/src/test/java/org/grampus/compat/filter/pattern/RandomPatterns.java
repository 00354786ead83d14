package org.grampus.compat.filter.pattern;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.regex.Pattern;

/** Random expressions of {@code java.util.regex} and bytes on which they can tell a difference. */
final class RandomPatterns {
  private static final String[] PLAIN = {
    "a",
    "b",
    "ab",
    "A",
    "z",
    "7",
    "_",
    " ",
    "\\.",
    "\\\\",
    "\\t",
    "\\n",
    "\\r",
    "\\x41",
    "\\x85",
    "\\xe9",
    ".",
    ".",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "[abc]",
    "[^abc]",
    "[a-f0-3]",
    "[^\\w]",
    "[-a]",
    "[a-]",
    "[\\s\\x80-\\xff]",
    "[\\]\\[]",
    "\\Qa.b\\E",
    "\\Q*\\E",
    "\u00e9",
    "\u0085",
    "[\u00e0-\u00ff]",
    "[ -~]",
    "]",
    "}",
    "-",
    "&",
    "#",
    "[.]",
    "[$|()]",
  };
  private static final String[] OTHER = {
    "\\b",
    "\\B",
    "\\R",
    "\\h",
    "\\H",
    "\\v",
    "\\p{Alpha}",
    "\\P{Lu}",
    "\\p{L}",
    "\\p{javaLowerCase}",
    "[a-z&&[^b]]",
    "[a[bc]]",
    "[^a&&b]",
    "(?=a)",
    "(?!b)",
    "(?<=a)",
    "(?<!a)",
    "(a)\\1",
    "(?<n>b)\\k<n>",
    "(?>a*)",
    "a++",
    "b*+",
    "\\A",
    "\\z",
    "\\Z",
    "\\G",
    "^",
    "$",
    "(?i)",
    "(?-s)",
    "(?u)",
    "(?m)",
    "(?i:B)",
    "\\u00e9",
    "\\x{1f600}",
    "\ud83d\ude00",
    "\u2028",
    "\\cA",
    "\\0101",
    "[\\Qa-c\\E]",
    "\\X",
    "\u0100",
    "\\N{LATIN SMALL LETTER A}",
    "(a*)*",
    "(a|ab)*",
    "(a|)",
    "()",
    "\\e",
    "\\a",
    "\\f",
    "[[:alpha:]]",
    "[a-c-]",
    "[&&a]",
  };
  private static final String[] QUANTIFIERS = {
    "*", "+", "?", "{2}", "{1,}", "{0,3}", "*?", "+?", "??", "{1,2}?", "*+", "?+", "{3,3}",
  };
  private static final int[] FLAGS = {
    0,
    Pattern.DOTALL,
    Pattern.DOTALL,
    Pattern.DOTALL,
    Pattern.CASE_INSENSITIVE,
    Pattern.CASE_INSENSITIVE | Pattern.DOTALL,
    Pattern.UNIX_LINES,
    Pattern.LITERAL,
    Pattern.LITERAL | Pattern.CASE_INSENSITIVE,
    Pattern.MULTILINE,
    Pattern.COMMENTS,
    Pattern.UNICODE_CASE | Pattern.CASE_INSENSITIVE,
    Pattern.UNICODE_CHARACTER_CLASS,
    Pattern.CANON_EQ,
  };
  private static final byte[][] PIECES = {
    {'a'},
    {'b'},
    {'c'},
    {'A'},
    {'B'},
    {'z'},
    {'7'},
    {'_'},
    {' '},
    {'.'},
    {'-'},
    {'*'},
    {'\n'},
    {'\r'},
    {'\r', '\n'},
    {'\t'},
    {0},
    {0x7f},
    {(byte) 0x85},
    {(byte) 0xe9},
    {(byte) 0xc9},
    {(byte) 0xff},
    {(byte) 0xc2},
    {(byte) 0xe2, (byte) 0x80},
    {(byte) 0xf0, (byte) 0x9f},
    {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
    {(byte) 0xc0, (byte) 0x80},
    utf8("\u00e9"),
    utf8("\u00c9"),
    utf8("\u0085"),
    utf8("\u2028"),
    utf8("\u0100"),
    utf8("\ud83d\ude00"),
    utf8("e\u0301"),
    utf8("ab"),
    utf8("a.b"),
  };

  private final Random random;

  RandomPatterns(Random random) {
    this.random = random;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private <T> T one(T[] of) {
    return of[random.nextInt(of.length)];
  }

  /** An expression; not each can be compiled. */
  String pattern() {
    if (random.nextInt(10) == 0) {
      return openTsdb();
    }
    String text = sequence(0, random.nextInt(3) > 0);
    return (random.nextInt(8) == 0 ? "(?s)" : random.nextInt(12) == 0 ? "(?i)" : "")
        + (random.nextInt(3) == 0 ? "^" : "")
        + text
        + (random.nextInt(3) == 0 ? "$" : "");
  }

  int flags() {
    return FLAGS[random.nextInt(FLAGS.length)];
  }

  /** Bytes of a value. */
  byte[] value() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int left = random.nextInt(9); left > 0; left--) {
      bytes.writeBytes(one(PIECES));
    }
    return bytes.toByteArray();
  }

  private String sequence(int depth, boolean plain) {
    StringBuilder text = new StringBuilder();
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      text.append(piece(depth, plain));
      if (random.nextInt(3) == 0) {
        text.append(plain ? QUANTIFIERS[random.nextInt(10)] : one(QUANTIFIERS));
      }
    }
    return text.toString();
  }

  private String piece(int depth, boolean plain) {
    if (depth < 2 && random.nextInt(4) == 0) {
      String inner = sequence(depth + 1, plain);
      String choice = random.nextBoolean() ? "" : "|" + sequence(depth + 1, plain);
      return (random.nextBoolean() ? "(" : "(?:") + inner + choice + ")";
    }
    return plain || random.nextBoolean() ? one(PLAIN) : one(OTHER);
  }

  /** What OpenTSDB asks of asynchbase: salt, metric and time, then tags in pairs. */
  private String openTsdb() {
    StringBuilder text = new StringBuilder("(?s)^.{" + random.nextInt(3) + "}(?:.{2})*");
    for (int tags = 1 + random.nextInt(2); tags > 0; tags--) {
      text.append("\\Q");
      for (byte id : value()) {
        text.append((char) (id & 0xff));
        if (id == 'E') {
          text.append("\\\\E\\Q");
        }
      }
      text.append("\\E(?:.{2})*");
    }
    return text + "$";
  }
}

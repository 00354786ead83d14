package org.grampus.compat.filter.pattern;

import java.nio.charset.Charset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** HBase's JavaRegexEngine: {@code find} over the decoded value. */
final class JavaPattern extends LimitedPattern {
  private final Charset charset;
  private final WatchedText text;
  private final Matcher matcher;

  JavaPattern(Pattern pattern, Charset charset, MatchLimits limits) {
    super(limits);
    this.charset = charset;
    this.text = new WatchedText(limits);
    this.matcher = pattern.matcher(text);
  }

  @Override
  boolean search(byte[] value, long endNanos) {
    try {
      text.begin(new String(value, charset), endNanos);
      return matcher.reset(text).find();
    } catch (StackOverflowError e) {
      throw new SearchFailedException(
          "java.util.regex exceeds its stack on a value of "
              + value.length
              + " bytes; simplify the pattern, for example with a possessive quantifier");
    }
  }
}

package org.grampus.compat.filter.pattern;

import java.nio.charset.Charset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.engine.CompiledPattern;

/** HBase's JavaRegexEngine: {@code find} over the decoded value. */
final class JavaPattern implements CompiledPattern {
  private final Charset charset;
  private final WatchedText text;
  private final Matcher matcher;
  private String failure;

  JavaPattern(Pattern pattern, Charset charset, MatchLimits limits) {
    this.charset = charset;
    this.text = new WatchedText(limits);
    this.matcher = pattern.matcher(text);
  }

  @Override
  public int find(byte[] value) {
    try {
      text.begin(new String(value, charset));
      return matcher.reset(text).find() ? FOUND : ABSENT;
    } catch (SlowMatchException e) {
      failure = e.getMessage();
    } catch (StackOverflowError e) {
      failure =
          "RegexStringComparator: java.util.regex exceeds its stack on a value of "
              + value.length
              + " bytes; simplify the pattern, for example with a possessive quantifier";
    }
    return FAILED;
  }

  @Override
  public String failure() {
    return failure;
  }
}

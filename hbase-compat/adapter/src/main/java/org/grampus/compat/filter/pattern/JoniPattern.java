package org.grampus.compat.filter.pattern;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.grampus.engine.CompiledPattern;
import org.jcodings.specific.NonStrictUTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;
import org.joni.Syntax;

/**
 * HBase's JoniRegexEngine: a search over the bytes, always as UTF-8, whatever the comparator's
 * charset; of the flags CASE_INSENSITIVE, DOTALL and MULTILINE count.
 */
final class JoniPattern implements CompiledPattern {
  private final Regex regex;
  private final JoniWatchdog watchdog;
  private String failure;

  JoniPattern(String text, int flags, JoniWatchdog watchdog) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    this.regex =
        new Regex(
            bytes, 0, bytes.length, options(flags), NonStrictUTF8Encoding.INSTANCE, Syntax.Java);
    this.watchdog = watchdog;
  }

  private static int options(int flags) {
    int options = Option.NONE;
    if ((flags & Pattern.CASE_INSENSITIVE) != 0) {
      options |= Option.IGNORECASE;
    }
    if ((flags & Pattern.DOTALL) != 0) {
      options |= Option.MULTILINE; // Joni's word for it
    }
    if ((flags & Pattern.MULTILINE) != 0) {
      options |= Option.NEGATE_SINGLELINE;
    }
    return options;
  }

  @Override
  public int find(byte[] value) {
    Matcher matcher = regex.matcher(value);
    JoniWatchdog.Search search = watchdog.begin(matcher);
    try {
      int at = matcher.searchInterruptible(0, value.length, regex.getOptions());
      return at < 0 ? ABSENT : FOUND;
    } catch (InterruptedException e) {
      if (search.reason() == null) {
        Thread.currentThread().interrupt(); // not ours
        failure = "RegexStringComparator: the server is stopping";
      } else {
        failure = search.reason();
      }
      return FAILED;
    } catch (StackOverflowError e) {
      failure = "RegexStringComparator: Joni exceeds its stack on " + value.length + " bytes";
      return FAILED;
    } finally {
      watchdog.end(search);
    }
  }

  @Override
  public String failure() {
    return failure;
  }
}

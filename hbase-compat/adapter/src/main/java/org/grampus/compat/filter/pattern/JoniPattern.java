package org.grampus.compat.filter.pattern;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jcodings.specific.NonStrictUTF8Encoding;
import org.joni.Matcher;
import org.joni.Option;
import org.joni.Regex;
import org.joni.Syntax;

/**
 * HBase's JoniRegexEngine: a search over the bytes, always as UTF-8, whatever the comparator's
 * charset; of the flags CASE_INSENSITIVE, DOTALL and MULTILINE count.
 */
final class JoniPattern extends LimitedPattern {
  private final Regex regex;
  private final JoniWatchdog watchdog;

  JoniPattern(String text, int flags, MatchLimits limits, JoniWatchdog watchdog) {
    super(limits);
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
  boolean search(byte[] value, long endNanos) {
    Matcher matcher = regex.matcher(value);
    JoniWatchdog.Search search = watchdog.begin(matcher, endNanos);
    try {
      return matcher.searchInterruptible(0, value.length, regex.getOptions()) >= 0;
    } catch (InterruptedException e) {
      if (search.isTooLong()) {
        throw SearchFailedException.timeout(limits());
      }
      Thread.currentThread().interrupt(); // not ours
      throw new SearchFailedException("the server is stopping");
    } catch (StackOverflowError e) {
      throw new SearchFailedException("Joni exceeds its stack on " + value.length + " bytes");
    } finally {
      watchdog.end(search);
    }
  }
}

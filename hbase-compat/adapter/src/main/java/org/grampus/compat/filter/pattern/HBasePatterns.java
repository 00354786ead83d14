package org.grampus.compat.filter.pattern;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.regex.Pattern;
import org.grampus.engine.CompiledPattern;
import org.grampus.engine.PatternCompiler;

/** The patterns of HBase's RegexStringComparator. Any thread. */
public final class HBasePatterns implements PatternCompiler {
  /** Java prepares the search for a literal in time that grows with the square of its length. */
  private static final int PATTERN_BYTES_MAX = 64 << 10;

  /** Java tries the orders of combining characters one by one. */
  private static final int COMBINING_MAX = 6;

  private final MatchLimits limits;
  private final JoniWatchdog watchdog = new JoniWatchdog();

  /** Patterns whose searches end at the limits. */
  public HBasePatterns(MatchLimits limits) {
    this.limits = limits;
  }

  @Override
  public CompiledPattern compile(byte[] pattern, int flags, byte[] charset, int engine) {
    if (pattern.length > PATTERN_BYTES_MAX) {
      return refused(
          "a pattern of " + pattern.length + " bytes, " + PATTERN_BYTES_MAX + " at most");
    }
    SearchTime searchTime = limits.call().get();
    if (searchTime.left(limits) <= 0) {
      return new RefusedPattern(SearchFailedException.timeout(limits).getMessage());
    }
    long begin = SearchTime.now();
    try {
      return compiled(new String(pattern, StandardCharsets.UTF_8), flags, charset, engine);
    } finally {
      searchTime.add(SearchTime.now() - begin);
    }
  }

  private CompiledPattern compiled(String text, int flags, byte[] charset, int engine) {
    try {
      return engine == JONI ? joni(text, flags) : java(text, flags, charset);
    } catch (StackOverflowError e) {
      return refused("the pattern is nested too deeply");
    } catch (RuntimeException e) {
      return refused(e.getMessage()); // PatternSyntaxException and its like
    }
  }

  private CompiledPattern joni(String text, int flags) {
    return new JoniPattern(text, flags, limits, watchdog);
  }

  private CompiledPattern java(String text, int flags, byte[] charset) {
    if ((flags & Pattern.CANON_EQ) != 0 && hasManyOrders(text)) {
      return refused(
          "more than " + COMBINING_MAX + " combining characters in a row under CANON_EQ");
    }
    Charset values = Charset.forName(new String(charset, StandardCharsets.US_ASCII));
    return new JavaPattern(Pattern.compile(text, flags), values, limits);
  }

  private static boolean hasManyOrders(String text) {
    int row = 0;
    for (int character : Normalizer.normalize(text, Normalizer.Form.NFD).codePoints().toArray()) {
      boolean combining =
          switch (Character.getType(character)) {
            case Character.NON_SPACING_MARK,
                    Character.ENCLOSING_MARK,
                    Character.COMBINING_SPACING_MARK ->
                true;
            default -> false;
          };
      row = combining ? row + 1 : 0;
      if (row > COMBINING_MAX) {
        return true;
      }
    }
    return false;
  }

  private static CompiledPattern refused(String reason) {
    return new RefusedPattern("RegexStringComparator: " + reason);
  }

  /** A pattern that was not compiled. */
  private record RefusedPattern(String failure) implements CompiledPattern {
    @Override
    public int find(byte[] value) {
      return FAILED;
    }
  }
}

package org.grampus.compat.filter.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.grampus.engine.CompiledPattern;
import org.grampus.engine.PatternCompiler;
import org.junit.jupiter.api.Test;

/** What the searches of one call take counts together, whichever patterns they are for. */
class SearchTimeTest {
  private static final long LIMIT_MILLIS = 60_000;
  private static final byte[] SLOW_VALUE = bytes("a".repeat(60) + "b");

  private SearchTime call = new SearchTime();

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private CompiledPattern pattern(String text, int engine, long millis) {
    return new HBasePatterns(new MatchLimits(millis, () -> call, () -> false))
        .compile(bytes(text), 0, bytes("UTF-8"), engine);
  }

  private static void assertRefused(CompiledPattern pattern, byte[] value) {
    assertEquals(CompiledPattern.FAILED, pattern.find(value));
    assertTrue(pattern.failure().contains("ms of searching"), pattern.failure());
  }

  @Test
  void aCallThatHasSearchedForLongSearchesNoMore() {
    CompiledPattern java = pattern("b(?!c)", PatternCompiler.JAVA, LIMIT_MILLIS);
    CompiledPattern joni = pattern("b(?!c)", PatternCompiler.JONI, LIMIT_MILLIS);
    for (CompiledPattern pattern : new CompiledPattern[] {java, joni}) {
      assertEquals(CompiledPattern.FOUND, pattern.find(bytes("ab")));
      call.add(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS));
      assertRefused(pattern, bytes("ab"));
      call = new SearchTime();
      assertEquals(CompiledPattern.FOUND, pattern.find(bytes("ab")), "the next call");
    }
  }

  @Test
  void patternsShareTheTimeOfTheirCall() {
    long millis = 100;
    for (int engine : new int[] {PatternCompiler.JAVA, PatternCompiler.JONI}) {
      call = new SearchTime();
      CompiledPattern other = pattern("b(?!c)", engine, millis);
      String slow = engine == PatternCompiler.JAVA ? "(a+)+\\1(?=c)" : "^(a|aa)+$";
      assertRefused(pattern(slow, engine, millis), SLOW_VALUE);
      assertRefused(other, bytes("ab"));
    }
  }

  @Test
  void aCallThatBeginsAnewHasItsTimeBesideWhatIsFree() {
    CompiledPattern pattern = pattern("b(?!c)", PatternCompiler.JAVA, LIMIT_MILLIS);
    call.add(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS));
    call.restart(LIMIT_MILLIS);
    call.add(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS));
    assertEquals(CompiledPattern.FOUND, pattern.find(bytes("ab")));
    call.add(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS));
    assertRefused(pattern, bytes("ab"));
  }

  @Test
  void searchesAreCounted() {
    SearchTime before = call;
    CompiledPattern pattern = pattern("b(?!c)", PatternCompiler.JAVA, LIMIT_MILLIS);
    MatchLimits limits = new MatchLimits(LIMIT_MILLIS, () -> call, () -> false);
    long left = before.left(limits);
    assertEquals(CompiledPattern.ABSENT, pattern.find(bytes("a".repeat(10_000))));
    assertTrue(before.left(limits) < left, "a search that takes no time");
  }

  @Test
  void aCallThatHasSearchedForLongCompilesNoMore() {
    for (int engine : new int[] {PatternCompiler.JAVA, PatternCompiler.JONI}) {
      call = new SearchTime();
      call.add(TimeUnit.MILLISECONDS.toNanos(LIMIT_MILLIS));
      String failure = pattern("b(?!c)", engine, LIMIT_MILLIS).failure();
      assertNotNull(failure, "a pattern was compiled");
      assertTrue(failure.contains("ms of searching"), failure);
    }
  }

  @Test
  void compilationsAreCounted() {
    MatchLimits limits = new MatchLimits(LIMIT_MILLIS, () -> call, () -> false);
    for (String text : new String[] {"a".repeat(10_000) + "(b)\\1", "(invalid"}) {
      for (int engine : new int[] {PatternCompiler.JAVA, PatternCompiler.JONI}) {
        long left = call.left(limits);
        assertNotNull(pattern(text, engine, LIMIT_MILLIS));
        assertTrue(call.left(limits) < left, "a compilation that takes no time: " + engine);
      }
    }
  }

  @Test
  void aLimitBeyondAllTimesIsAYear() {
    Configuration conf = new Configuration(false);
    conf.setLong("grampus.pattern.timeout.ms", Long.MAX_VALUE);
    HBasePatterns patterns = new HBasePatterns(MatchLimits.of(conf, () -> call, () -> false));
    // A call of a scan: what is free comes on top of the limit.
    call.restart(500);
    for (int engine : new int[] {PatternCompiler.JAVA, PatternCompiler.JONI}) {
      CompiledPattern pattern = patterns.compile(bytes("b(?!c)"), 0, bytes("UTF-8"), engine);
      byte[] value = bytes("a".repeat(10_000) + "b"); // long enough for looks at the clock
      assertEquals(CompiledPattern.FOUND, pattern.find(value), pattern.failure());
    }
    assertEquals(
        TimeUnit.DAYS.toMillis(365), MatchLimits.of(conf, () -> call, () -> false).millis());
  }
}

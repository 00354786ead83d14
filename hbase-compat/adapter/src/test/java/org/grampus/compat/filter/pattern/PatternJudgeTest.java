package org.grampus.compat.filter.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator.EngineType;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.CompareType;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.CallStatus;
import org.grampus.engine.CompiledPattern;
import org.grampus.engine.EngineException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HBase's RegexStringComparator is the judge of the engine's answers. */
class PatternJudgeTest {
  private static final int ROUNDS = 12;
  private static final int VALUES = 100;
  private static final int PATTERNS = 120;
  private static final int CASES = 100_000;
  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_8);

  /** HBase's own comparator has no limit, and some searches need long on a busy machine. */
  private static final MatchLimits PATIENT = new MatchLimits(60_000, SearchTime::new, () -> false);

  @TempDir Path root;
  private final AtomicBoolean abandoned = new AtomicBoolean();

  private HBasePatterns java =
      new HBasePatterns(new MatchLimits(200, SearchTime::new, abandoned::get));
  private int compiled;
  private ValueTable table;

  @BeforeEach
  void open() throws IOException {
    table =
        new ValueTable(
            root,
            (pattern, flags, charset, engine) -> {
              compiled++;
              return java.compile(pattern, flags, charset, engine);
            });
  }

  @AfterEach
  void close() {
    table.close();
  }

  private static Filter occurs(RegexStringComparator comparator) throws IOException {
    return ProtobufUtil.toFilter(new ValueFilter(CompareOperator.EQUAL, comparator));
  }

  private static BitSet expected(RegexStringComparator comparator, List<byte[]> values) {
    BitSet found = new BitSet();
    for (int i = 0; i < values.size(); i++) {
      found.set(i, comparator.compareTo(values.get(i), 0, values.get(i).length) == 0);
    }
    return found;
  }

  @Test
  void eachAnswerIsThatOfHBase() throws IOException {
    java = new HBasePatterns(PATIENT);
    long seed = Long.getLong("grampus.pattern.seed", System.nanoTime());
    System.out.println("PatternJudgeTest: -Dgrampus.pattern.seed=" + seed);
    Random random = new Random(seed);
    RandomPatterns patterns = new RandomPatterns(random);
    int cases = 0;
    int found = 0;
    int tooCostly = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<byte[]> values = putValues(patterns, round + 1);
      for (int i = 0; i < PATTERNS; ) {
        String text = patterns.pattern();
        Pattern pattern;
        try {
          pattern = asReceived(text, patterns.flags());
        } catch (PatternSyntaxException e) {
          continue; // not each is one
        }
        Charset charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
        if (!SearchCost.isCheap(pattern, charset, values)) {
          tooCostly++;
          assertTrue(tooCostly < ROUNDS * PATTERNS / 50, "searches that cost too much");
          continue;
        }
        RegexStringComparator comparator = new RegexStringComparator(text, pattern.flags());
        comparator.setCharset(charset);
        BitSet expected = expected(comparator, values);
        assertEquals(
            differences(expected, expected, values),
            differences(expected, table.scan(occurs(comparator)), values),
            () ->
                "seed "
                    + seed
                    + ": "
                    + text
                    + " in "
                    + charset
                    + ": "
                    + Bytes.toStringBinary(text.getBytes(StandardCharsets.UTF_8)));
        cases += values.size();
        found += expected.cardinality();
        i++;
      }
    }
    int patternCount = ROUNDS * PATTERNS;
    assertTrue(compiled > patternCount / 4 && compiled < patternCount * 3 / 4, "Java: " + compiled);
    assertTrue(
        cases >= CASES && found > cases / 20 && found < cases * 19 / 20, cases + " " + found);
  }

  /** A pattern as HBase's server compiles it: its flags are sent with those inside of it. */
  private static Pattern asReceived(String text, int flags) {
    return Pattern.compile(text, Pattern.compile(text, flags).flags());
  }

  private List<byte[]> putValues(RandomPatterns patterns, long timestamp) throws IOException {
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < VALUES; i++) {
      values.add(patterns.value());
      table.put(i, values.get(i), timestamp);
    }
    return values;
  }

  private static List<String> differences(BitSet expected, BitSet answered, List<byte[]> values) {
    BitSet differences = (BitSet) expected.clone();
    differences.xor(answered);
    return differences.stream()
        .mapToObj(
            i -> Bytes.toStringBinary(values.get(i)) + (expected.get(i) ? " occurs" : " does not"))
        .toList();
  }

  /** Every sequence of two bytes, and of three that begins like a character of UTF-8. */
  @Test
  void bytesThatAreNoTextAreDecodedAsByJava() throws IOException {
    List<byte[]> values = new ArrayList<>();
    byte[] heads = {
      (byte) 0x80,
      (byte) 0xc1,
      (byte) 0xc3,
      (byte) 0xe0,
      (byte) 0xe2,
      (byte) 0xed,
      (byte) 0xf0,
      (byte) 0xf4,
      (byte) 0xf5
    };
    int[] tails = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc3, 0xe2, 0xf0, 0xff};
    for (byte head : heads) {
      for (int second : tails) {
        values.add(new byte[] {head, (byte) second});
        for (int third : tails) {
          values.add(new byte[] {head, (byte) second, (byte) third});
          values.add(new byte[] {head, (byte) second, (byte) third, (byte) 0x80, 'x'});
        }
      }
    }
    for (int i = 0; i < values.size(); i++) {
      table.put(i, values.get(i), 1);
    }
    for (String pattern : List.of("^.$", "^..$", "^...$", "^.{4}$", "^[^a]+x", "a$")) {
      RegexStringComparator comparator = new RegexStringComparator(pattern);
      assertEquals(expected(comparator, values), table.scan(occurs(comparator)), pattern);
    }
  }

  @Test
  void otherCharsetsAreJudgedByJava() throws IOException {
    byte[] value = "n\u00e4he".getBytes(StandardCharsets.UTF_16LE);
    table.put(0, value, 1);
    RegexStringComparator comparator = new RegexStringComparator("^n.he$");
    comparator.setCharset(StandardCharsets.UTF_16LE);
    assertEquals(1, table.scan(occurs(comparator)).cardinality());
    comparator.setCharset(Charset.forName("windows-1252"));
    assertEquals(0, table.scan(occurs(comparator)).cardinality());
  }

  @Test
  void joniAnswersAsInHBase() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RandomPatterns patterns = new RandomPatterns(random);
    List<byte[]> values = putValues(patterns, 1);
    for (String text :
        List.of(
            "^a.*b$",
            "a(?=b)",
            "(a)\\1",
            "\\p{Alpha}7",
            "[^a]$",
            "a.b",
            "(?i)AB",
            "\u00e9",
            "\\w+\\s")) {
      for (int flags : new int[] {0, 2, 8, 32, 34}) {
        RegexStringComparator comparator = new RegexStringComparator(text, flags, EngineType.JONI);
        assertEquals(
            expected(comparator, values),
            table.scan(occurs(comparator)),
            () -> "seed " + seed + ": " + text + " " + flags);
      }
    }
  }

  @Test
  void aSlowSearchEndsWithAClearSentence() throws IOException {
    table.put(0, Bytes.toBytes("a".repeat(60) + "b"), 1);
    for (String text : List.of("^(a+)+\\1*(?=c)", "(a+)+\\1(?=c)", "^(a|a)+\\1(?=c)")) {
      assertSlow(new RegexStringComparator(text));
    }
    assertSlow(new RegexStringComparator("^(a|aa)+$", 0, EngineType.JONI));
    assertEquals(1, table.scan(occurs(new RegexStringComparator("b(?!c)"))).cardinality());
  }

  private void assertSlow(RegexStringComparator comparator) throws IOException {
    String message = failure(occurs(comparator));
    assertTrue(message.contains("no answer after 200 ms"), message);
  }

  private String failure(Filter filter) {
    EngineException e = assertThrows(EngineException.class, () -> table.scan(filter));
    IOException adapted = ErrorAdapter.adapt(e);
    assertTrue(adapted instanceof DoNotRetryIOException, adapted::toString);
    return adapted.getMessage();
  }

  @Test
  void aSearchEndsWhenItsClientIsGone() throws IOException {
    table.put(0, Bytes.toBytes("a".repeat(60) + "b"), 1);
    abandoned.set(true);
    String message = failure(occurs(new RegexStringComparator("(a+)+\\1(?=c)")));
    assertTrue(message.contains("stopped waiting"), message);
  }

  @Test
  void aSearchThatExceedsItsStackEndsWithAClearSentence() throws IOException {
    java = new HBasePatterns(PATIENT);
    table.put(0, Bytes.toBytes("ab".repeat(200_000)), 1);
    String message = failure(occurs(new RegexStringComparator("^(a|b|cd)*$")));
    assertTrue(message.contains("stack"), message);
    assertEquals(1, table.scan(occurs(new RegexStringComparator("b(?!a)"))).cardinality());
  }

  @Test
  void aPatternThatCannotBeCompiledIsRefused() throws Exception {
    table.put(0, Bytes.toBytes("a"), 1);
    String message = failure(unchecked("a(?=b", 0, "UTF-8"));
    assertTrue(message.contains("Unclosed group"), message);
    assertRefused("Stack overflow", "(".repeat(60_000), 0);
    assertRefused("at most", "a".repeat(1 << 20), 0);
    assertRefused("combining", "a" + "\u0301\u0323".repeat(8), Pattern.CANON_EQ);
    assertRefused("flag", "a", 1 << 20);
    IOException unknown =
        assertThrows(IOException.class, () -> table.scan(unchecked("a", 0, "UTF-77")));
    assertTrue(unknown instanceof DoNotRetryIOException, unknown::toString);
    assertEquals(1, table.scan(unchecked("a", 0, "no charset")).cardinality());
  }

  private void assertRefused(String reason, String text, int flags) {
    String message = failure(unchecked(text, flags, "UTF-8"));
    assertTrue(message.contains(reason), message);
  }

  /** A filter as a client of another kind may send it. */
  private static Filter unchecked(String text, int flags, String charset) {
    ComparatorProtos.RegexStringComparator comparator =
        ComparatorProtos.RegexStringComparator.newBuilder()
            .setPattern(text)
            .setPatternFlags(flags)
            .setCharset(charset)
            .build();
    FilterProtos.CompareFilter compare =
        FilterProtos.CompareFilter.newBuilder()
            .setCompareOp(CompareType.EQUAL)
            .setComparator(
                ComparatorProtos.Comparator.newBuilder()
                    .setName(RegexStringComparator.class.getName())
                    .setSerializedComparator(comparator.toByteString()))
            .build();
    return Filter.newBuilder()
        .setName(ValueFilter.class.getName())
        .setSerializedFilter(
            FilterProtos.ValueFilter.newBuilder().setCompareFilter(compare).build().toByteString())
        .build();
  }

  @Test
  void aGetWhosePatternMayNeedJavaDoesNotRunWhereItMayNotWait() throws IOException {
    table.put(0, Bytes.toBytes("ab"), 1);
    RegexStringComparator latin = new RegexStringComparator("^a.$");
    latin.setCharset(StandardCharsets.ISO_8859_1);
    assertEquals(CallStatus.DONE, table.getStatus(0, occurs(latin), false));
    for (String text : List.of("^a.$", "a(?=b)")) {
      Filter filter = occurs(new RegexStringComparator(text));
      assertEquals(CallStatus.WOULD_BLOCK, table.getStatus(0, filter, false), text);
      assertEquals(CallStatus.DONE, table.getStatus(0, filter, true), text);
    }
  }

  @Test
  void whatAPatternThrowsEndsTheReadAndNothingElse() throws IOException {
    try (ValueTable broken =
        new ValueTable(
            root.resolve("broken"),
            (pattern, flags, charset, engine) ->
                new CompiledPattern() {
                  @Override
                  public int find(byte[] value) {
                    throw new IllegalStateException("defect");
                  }

                  @Override
                  public String failure() {
                    return null;
                  }
                })) {
      broken.put(0, Bytes.toBytes("a"), 1);
      Filter filter = occurs(new RegexStringComparator("a(?!b)"));
      EngineException e = assertThrows(EngineException.class, () -> broken.scan(filter));
      assertTrue(e.getMessage().contains("defect"), e.getMessage());
      assertEquals(1, broken.scan(occurs(new RegexStringComparator("a"))).cardinality());
    }
  }
}

package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RegexStringComparator.EngineType;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** RegexStringComparator over text and over bytes that are none. */
class PatternFilterTest extends CompatTest {
  private static final List<Charset> CHARSETS =
      List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII);
  private static final String[] PATTERNS = {
    "^abc",
    "abc$",
    "^[a-z]+$",
    "a.c",
    "^.{3}$",
    "\\w",
    "^\\W",
    "\\d\\s",
    "\\bb",
    "(?i)ABC",
    "(?i)\u00e9",
    "\\p{Alpha}{3}",
    "\\p{L}",
    "[^\\x00-\\x7f]",
    "\u00e9",
    "(a)\\1",
    "a(?=b)",
    "a(?!b)",
    "(?<=a)b",
    "a++b",
    "\\Ra",
    "\\h",
    "[a-z&&[^b]]",
    "^\\Qa.c\\E$",
    "(?m)^a$",
    "a$",
    "^$",
    "(?s)^.*\\x0a$",
    "(a|b)*c$",
    "^(?:a|ab)(?:c|bc)$",
    "[\\]]",
    "(?d)a.c",
    "\\x{1F600}",
    "^.$",
    "(?u)\\w",
    "\\z",
  };
  private static final String[] VALUES = {
    "abc",
    "a.c",
    "a\nc",
    "a\u0085c",
    "ABC",
    "aa",
    "ab",
    "b a",
    "7\t",
    "\u00e9",
    "\u00c9",
    "\ud83d\ude00",
    "\u2028a",
    "a\r\n",
    "a\n",
    "ac",
  };

  private static final int SALT_METRIC_TIME = 7;

  /** Row key of OpenTSDB: metric, time, and pairs of tag and value, three bytes each. */
  private static byte[] series(String... ids) {
    byte[] row = new byte[SALT_METRIC_TIME];
    for (String id : ids) {
      row = Bytes.add(row, id.getBytes(StandardCharsets.ISO_8859_1));
    }
    return row;
  }

  /** What asynchbase sends for OpenTSDB's tags: text of one character for each byte. */
  private static Filter tagged(String expression) {
    RegexStringComparator comparator = new RegexStringComparator(expression, Pattern.DOTALL);
    comparator.setCharset(StandardCharsets.ISO_8859_1);
    return new RowFilter(CompareOperator.EQUAL, comparator);
  }

  private int count(Filter filter) throws Exception {
    return scan(new Scan().setFilter(filter)).size();
  }

  @Test
  void keysOfOpenTsdbAreFoundByTheirTags() throws Exception {
    String host = "\0\0\1";
    String[] values = {"\0\0\2", "\0\u0085\n", "\r\n.", "\u00ff*E", "\\E\\", "\u00e9\u0080\u00c3"};
    for (String value : values) {
      table.put(new Put(series(host, value)).addColumn(F, b("q"), b("v")));
      table.put(new Put(series("\0\0\0", "\0\0\7", host, value)).addColumn(F, b("q"), b("v")));
    }
    String tags = "(?:.{6})*";
    for (String value : values) {
      String quoted = "\\Q" + (host + value).replace("\\E", "\\E\\\\E\\Q") + "\\E";
      assertEquals(2, count(tagged("(?s)^.{7}" + tags + quoted + tags + "$")), value);
      assertEquals(1, count(tagged("(?s)^.{7}" + quoted + "$")), value);
      assertEquals(
          10,
          count(
              tagged(
                  "(?s)^.{7}"
                      + tags
                      + "\\Q"
                      + host
                      + "\\E(?!"
                      + quoted.replace("\\Q" + host, "\\Q")
                      + "$).{3}$")));
    }
    assertEquals(12, count(tagged("(?s)^.{7}" + tags + "\\Q" + host + "\\E(?:.{3})" + tags + "$")));
    assertEquals(
        6, count(tagged("(?s)^.{7}(?:\\Q" + host + "\\E(?:\\Q" + values[0] + "\\E|.{3}))$")));
  }

  @Test
  void textIsWhatTheCharsetMakesOfBytes() throws Exception {
    List<byte[]> values = new ArrayList<>();
    for (String text : VALUES) {
      values.add(text.getBytes(StandardCharsets.UTF_8));
      values.add(text.getBytes(StandardCharsets.ISO_8859_1));
    }
    values.add(new byte[0]);
    values.add(new byte[] {(byte) 0xe2, (byte) 0x80, 'a'});
    for (int i = 0; i < values.size(); i++) {
      table.put(new Put(Bytes.toBytes(i)).addColumn(F, b("q"), values.get(i)));
    }
    for (Charset charset : CHARSETS) {
      for (String pattern : PATTERNS) {
        RegexStringComparator comparator = new RegexStringComparator(pattern, 0);
        comparator.setCharset(charset);
        List<Integer> expected = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
          if (RegexStringComparator.parseFrom(comparator.toByteArray())
                  .compareTo(values.get(i), 0, values.get(i).length)
              == 0) {
            expected.add(i);
          }
        }
        List<Integer> found = new ArrayList<>();
        for (Result result :
            scan(new Scan().setFilter(new ValueFilter(CompareOperator.EQUAL, comparator)))) {
          found.add(Bytes.toInt(result.getRow()));
        }
        assertEquals(expected, found, pattern + " in " + charset);
      }
    }
  }

  @Test
  void everyReadTakesPatternsOfBothKinds() throws Exception {
    table.put(
        new Put(b("row")).addColumn(F, b("one"), 1, b("v1")).addColumn(F, b("two"), 1, b("w2")));
    for (boolean flushed : new boolean[] {false, true}) {
      for (String one : List.of("^one$", "^o(?=ne)", "(o)ne(?!\\1)")) {
        Filter filter = new QualifierFilter(CompareOperator.EQUAL, new RegexStringComparator(one));
        assertEquals("row/f:one@1=v1", show(table.get(new Get(b("row")).setFilter(filter))));
        assertTrue(table.exists(new Get(b("row")).setFilter(filter)));
        assertEquals(
            "row/f:one@1=v1", show(table.get(List.of(new Get(b("row")).setFilter(filter)))[0]));
        SingleColumnValueFilter column =
            new SingleColumnValueFilter(
                F, b("one"), CompareOperator.NOT_EQUAL, new RegexStringComparator(one));
        assertEquals("row", rows(new Scan().setFilter(column)));
        assertTrue(checkAndMutate(filter));
      }
      Filter none = new QualifierFilter(CompareOperator.EQUAL, new RegexStringComparator("o(?=w)"));
      assertFalse(checkAndMutate(none));
      if (!flushed) {
        admin.flush(name);
      }
    }
  }

  private boolean checkAndMutate(Filter filter) throws Exception {
    Put put = new Put(b("row")).addColumn(G, b("checked"), b("x"));
    CheckAndMutate check = CheckAndMutate.newBuilder(b("row")).ifMatches(filter).build(put);
    CheckAndMutate twin = CheckAndMutate.newBuilder(b("row")).ifMatches(filter).build(put);
    boolean success = table.checkAndMutate(check).isSuccess();
    table
        .checkAndMutate(List.of(check, twin))
        .forEach(result -> assertEquals(success, result.isSuccess()));
    return success;
  }

  @Test
  void joniJudgesValues() throws Exception {
    table.put(new Put(b("a")).addColumn(F, b("q"), b("abc")));
    table.put(new Put(b("b")).addColumn(F, b("q"), b("xyz")));
    RegexStringComparator comparator = new RegexStringComparator("^[a-c]+$", EngineType.JONI);
    assertEquals(
        "a",
        rows(
            new Scan()
                .addFamily(F)
                .setFilter(
                    new SingleColumnValueFilter(F, b("q"), CompareOperator.EQUAL, comparator))));
  }
}

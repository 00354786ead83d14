package org.grampus.mapreduce.columns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.MappedColumn;
import org.junit.jupiter.api.Test;

/** A filter whose column is not scanned would let all rows pass, or none. */
class MappedScanTest {
  /** The column that filters look at. */
  private static final String COLUMN = "'f','b'";

  /** All filters of the language, by their names. */
  private static final Map<String, String> EXAMPLES =
      Map.ofEntries(
          Map.entry("KeyOnlyFilter", ""),
          Map.entry("FirstKeyOnlyFilter", ""),
          Map.entry("PrefixFilter", "'a'"),
          Map.entry("ColumnPrefixFilter", "'a'"),
          Map.entry("MultipleColumnPrefixFilter", "'a','b'"),
          Map.entry("ColumnCountGetFilter", "1"),
          Map.entry("PageFilter", "1"),
          Map.entry("ColumnPaginationFilter", "1,0"),
          Map.entry("InclusiveStopFilter", "'a'"),
          Map.entry("TimestampsFilter", "1"),
          Map.entry("RowFilter", "=,'binary:a'"),
          Map.entry("FamilyFilter", "=,'binary:a'"),
          Map.entry("QualifierFilter", "=,'binary:a'"),
          Map.entry("ValueFilter", "=,'binary:a'"),
          Map.entry("ColumnRangeFilter", "'a',true,'b',true"),
          Map.entry("SingleColumnValueFilter", COLUMN + ",=,'binary:x'"),
          Map.entry("SingleColumnValueExcludeFilter", COLUMN + ",=,'binary:x'"),
          Map.entry("DependentColumnFilter", COLUMN),
          Map.entry("ColumnValueFilter", COLUMN + ",=,'binary:x'"));

  private static MappedColumn column(String qualifier) {
    return new MappedColumn(Bytes.toBytes("f"), Bytes.toBytes(qualifier));
  }

  private static void ask(String filter, String... qualifiers) throws Exception {
    Scan scan = new Scan().setFilter(new ParseFilter().parseFilterString(filter));
    MappedScan.ask(scan, Stream.of(qualifiers).map(MappedScanTest::column).toList());
  }

  private static boolean namesAColumn(Filter filter) {
    return Arrays.stream(filter.getClass().getMethods())
        .anyMatch(method -> method.getName().equals("getQualifier"));
  }

  @Test
  void everyFilterThatNamesAColumnWantsItAmongTheColumns() throws Exception {
    for (String name : new ParseFilter().getSupportedFilters()) {
      assertTrue(EXAMPLES.containsKey(name), name + " is new");
      String filter = name + "(" + EXAMPLES.get(name) + ")";
      boolean named = namesAColumn(new ParseFilter().parseFilterString(filter));
      assertEquals(EXAMPLES.get(name).startsWith(COLUMN), named, filter);
      for (String form : List.of("%s", "SKIP %s", "WHILE %s", "KeyOnlyFilter() AND %s")) {
        String formed = String.format(form, filter);
        ask(formed, "a", "b");
        if (named) {
          String said =
              assertThrows(IllegalArgumentException.class, () -> ask(formed, "a"), formed)
                  .getMessage();
          assertTrue(said.contains("looks at f:b"), said);
        } else {
          ask(formed, "a");
        }
      }
    }
  }
}

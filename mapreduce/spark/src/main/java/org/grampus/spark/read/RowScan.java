package org.grampus.spark.read;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.grampus.spark.filter.ByteRanges;
import org.grampus.spark.filter.Condition;
import org.grampus.spark.mapping.Column;
import org.grampus.spark.mapping.Mapping;

/**
 * HBase's scan of a query. A row is one of the table's if it has any of the mapping's columns, and
 * a scan returns rows that have one of its own; so it asks for all of them unless every row that is
 * wanted has one of those that are asked for anyway.
 */
final class RowScan {
  private RowScan() {}

  /**
   * Completes a scan.
   *
   * @param mapping of the table
   * @param wanted fields of the query
   * @param condition of the rows
   * @param present the name of a field that is null in no row, or null
   */
  static Scan of(Scan scan, Mapping mapping, Mapping wanted, Condition condition, String present)
      throws IOException {
    for (Column column : columns(mapping, wanted, condition, present)) {
      scan.addColumn(column.family(), column.qualifier());
    }
    Filter ofKeys = rows(scan, condition.keys());
    if (ofKeys != null && condition.filter() != null) {
      scan.setFilter(
          new FilterList(FilterList.Operator.MUST_PASS_ALL, List.of(ofKeys, condition.filter())));
    } else if (ofKeys != null || condition.filter() != null) {
      scan.setFilter(ofKeys != null ? ofKeys : condition.filter());
    }
    return scan;
  }

  private static List<Column> columns(
      Mapping mapping, Mapping wanted, Condition condition, String present) {
    Set<String> names = new HashSet<>(condition.looked());
    wanted.columns().forEach(column -> names.add(column.name()));
    boolean complete = condition.present().stream().anyMatch(names::contains);
    if (!complete && present != null) {
      names.add(present);
      complete = true;
    }
    boolean all = !complete;
    return mapping.columns().stream().filter(c -> all || names.contains(c.name())).toList();
  }

  /** Limits a scan to rows, by a filter of its own where they are not one range. */
  private static Filter rows(Scan scan, ByteRanges keys) throws IOException {
    List<ByteRanges.Range> ranges = keys.ranges();
    if (ranges.isEmpty()) {
      throw new IllegalArgumentException("a scan of no keys");
    }
    byte[] stop = ranges.get(ranges.size() - 1).stop();
    scan.withStartRow(ranges.get(0).start()).withStopRow(stop == null ? new byte[0] : stop);
    if (ranges.size() == 1) {
      return null;
    }
    List<MultiRowRangeFilter.RowRange> rows = new ArrayList<>();
    for (ByteRanges.Range range : ranges) {
      byte[] end = range.stop() == null ? new byte[0] : range.stop();
      rows.add(new MultiRowRangeFilter.RowRange(range.start(), true, end, false));
    }
    return new MultiRowRangeFilter(rows);
  }
}

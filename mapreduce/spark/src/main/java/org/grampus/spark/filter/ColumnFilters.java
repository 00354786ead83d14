package org.grampus.spark.filter;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.grampus.spark.mapping.Column;

/** HBase's filters of rows by the value of one column. */
final class ColumnFilters {
  private static final byte[] NOTHING = {};

  private ColumnFilters() {}

  /** Rows that have the column, with a value in a set. */
  static Filter in(Column column, ByteRanges values) {
    ByteRanges others = values.complement();
    if (others.ranges().size() == 1 && others.ranges().get(0).isPoint()) {
      return filter(column, CompareOperator.NOT_EQUAL, others.ranges().get(0).start(), true);
    }
    List<Filter> parts = new ArrayList<>();
    values.ranges().forEach(range -> parts.add(in(column, range)));
    return switch (parts.size()) {
      case 0 -> filter(column, CompareOperator.LESS, NOTHING, true); // none is less
      case 1 -> parts.get(0);
      default -> new FilterList(FilterList.Operator.MUST_PASS_ONE, parts);
    };
  }

  private static Filter in(Column column, ByteRanges.Range range) {
    if (range.isPoint()) {
      return filter(column, CompareOperator.EQUAL, range.start(), true);
    }
    Filter from = filter(column, CompareOperator.GREATER_OR_EQUAL, range.start(), true);
    if (range.stop() == null) {
      return from;
    }
    Filter before = filter(column, CompareOperator.LESS, range.stop(), true);
    return range.start().length == 0
        ? before
        : new FilterList(FilterList.Operator.MUST_PASS_ALL, List.of(from, before));
  }

  /** Rows that lack the column, or have an empty value where that is null, too. */
  static Filter missing(Column column) {
    boolean emptyIsNull = column.type().kind().isParsed();
    return filter(
        column, emptyIsNull ? CompareOperator.EQUAL : CompareOperator.LESS, NOTHING, false);
  }

  private static Filter filter(
      Column column, CompareOperator operator, byte[] value, boolean dropsMissing) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            column.family(), column.qualifier(), operator, new BinaryComparator(value));
    filter.setFilterIfMissing(dropsMissing);
    filter.setLatestVersionOnly(true);
    return filter;
  }
}

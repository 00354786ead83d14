package org.grampus.mapreduce.columns;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineException;
import org.grampus.engine.MappedColumn;
import org.grampus.engine.NativeTableFile;

/** Scans that have what a mapping of columns wants. */
public final class MappedScan {
  private MappedScan() {}

  /**
   * Gives a scan the columns of a mapping.
   *
   * @param scan asks for no column yet, and is changed
   * @throws IllegalArgumentException when its filter looks at a column that is not among them: a
   *     filter sees only what is scanned, and lets rows pass that lack the column
   */
  public static void ask(Scan scan, List<MappedColumn> columns) {
    columns.forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    for (MappedColumn seen : columnsOf(scan.getFilter())) {
      if (!has(scan, seen)) {
        throw new IllegalArgumentException(
            "the filter looks at " + name(seen) + ", which is not among the columns; add it");
      }
    }
  }

  /**
   * A scan that has the columns of a mapping: those, if it asks for none.
   *
   * @throws IllegalArgumentException for a mapping that cannot be, or a scan of other columns or
   *     with batches
   */
  public static Scan of(Scan given, String mapping) {
    if (given.getBatch() > 0) {
      throw new IllegalArgumentException("columns need whole rows, and the scan has a batch");
    }
    List<MappedColumn> columns = columns(mapping);
    if (!given.hasFamilies()) {
      ask(given, columns);
    }
    for (MappedColumn column : columns) {
      if (!has(given, column)) {
        throw new IllegalArgumentException("the scan does not ask for the column " + name(column));
      }
    }
    return given;
  }

  private static List<MappedColumn> columns(String mapping) {
    try {
      return NativeTableFile.columns(mapping);
    } catch (EngineException e) {
      throw new IllegalArgumentException("the columns cannot be: " + e.getMessage(), e);
    }
  }

  private static boolean has(Scan scan, MappedColumn column) {
    if (!scan.hasFamilies()) {
      return true;
    }
    if (!scan.getFamilyMap().containsKey(column.family())) {
      return false;
    }
    NavigableSet<byte[]> qualifiers = scan.getFamilyMap().get(column.family());
    return qualifiers == null || qualifiers.contains(column.qualifier());
  }

  private static String name(MappedColumn column) {
    return Bytes.toStringBinary(column.family()) + ":" + Bytes.toStringBinary(column.qualifier());
  }

  private static List<MappedColumn> columnsOf(Filter filter) {
    if (filter instanceof SingleColumnValueFilter value) {
      return List.of(new MappedColumn(value.getFamily(), value.getQualifier()));
    }
    if (filter instanceof ColumnValueFilter value) {
      return List.of(new MappedColumn(value.getFamily(), value.getQualifier()));
    }
    if (filter instanceof DependentColumnFilter dependent) {
      return List.of(new MappedColumn(dependent.getFamily(), dependent.getQualifier()));
    }
    if (filter instanceof SkipFilter skip) {
      return columnsOf(skip.getFilter());
    }
    if (filter instanceof WhileMatchFilter until) {
      return columnsOf(until.getFilter());
    }
    List<MappedColumn> all = new ArrayList<>();
    if (filter instanceof FilterList list) {
      list.getFilters().forEach(inner -> all.addAll(columnsOf(inner)));
    }
    return all;
  }
}

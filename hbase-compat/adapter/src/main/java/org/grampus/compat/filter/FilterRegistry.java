package org.grampus.compat.filter;

import java.util.Map;

/** The filters that the engine has, by HBase's Java class name. */
final class FilterRegistry {
  private static final String PACKAGE = "org.apache.hadoop.hbase.filter.";

  private static final Map<String, FilterAdapter> ADAPTERS =
      Map.ofEntries(
          Map.entry(PACKAGE + "RowFilter", new RowFilterAdapter()),
          Map.entry(PACKAGE + "FamilyFilter", new FamilyFilterAdapter()),
          Map.entry(PACKAGE + "QualifierFilter", new QualifierFilterAdapter()),
          Map.entry(PACKAGE + "ValueFilter", new ValueFilterAdapter()),
          Map.entry(PACKAGE + "DependentColumnFilter", new DependentColumnFilterAdapter()),
          Map.entry(PACKAGE + "SingleColumnValueFilter", new SingleColumnValueFilterAdapter()),
          Map.entry(
              PACKAGE + "SingleColumnValueExcludeFilter",
              new SingleColumnValueExcludeFilterAdapter()),
          Map.entry(PACKAGE + "ColumnValueFilter", new ColumnValueFilterAdapter()),
          Map.entry(PACKAGE + "PrefixFilter", new PrefixFilterAdapter()),
          Map.entry(PACKAGE + "InclusiveStopFilter", new InclusiveStopFilterAdapter()),
          Map.entry(PACKAGE + "PageFilter", new PageFilterAdapter()),
          Map.entry(PACKAGE + "ColumnCountGetFilter", new ColumnCountGetFilterAdapter()),
          Map.entry(PACKAGE + "ColumnPaginationFilter", new ColumnPaginationFilterAdapter()),
          Map.entry(PACKAGE + "ColumnPrefixFilter", new ColumnPrefixFilterAdapter()),
          Map.entry(
              PACKAGE + "MultipleColumnPrefixFilter", new MultipleColumnPrefixFilterAdapter()),
          Map.entry(PACKAGE + "ColumnRangeFilter", new ColumnRangeFilterAdapter()),
          Map.entry(PACKAGE + "FirstKeyOnlyFilter", new FirstKeyOnlyFilterAdapter()),
          Map.entry(
              PACKAGE + "FirstKeyValueMatchingQualifiersFilter",
              new FirstKeyValueMatchingQualifiersFilterAdapter()),
          Map.entry(PACKAGE + "KeyOnlyFilter", new KeyOnlyFilterAdapter()),
          Map.entry(PACKAGE + "TimestampsFilter", new TimestampsFilterAdapter()),
          Map.entry(PACKAGE + "FuzzyRowFilter", new FuzzyRowFilterAdapter()),
          Map.entry(PACKAGE + "MultiRowRangeFilter", new MultiRowRangeFilterAdapter()),
          Map.entry(PACKAGE + "RandomRowFilter", new RandomRowFilterAdapter()),
          Map.entry(PACKAGE + "SkipFilter", new SkipFilterAdapter()),
          Map.entry(PACKAGE + "WhileMatchFilter", new WhileMatchFilterAdapter()),
          Map.entry(PACKAGE + "FilterList", new FilterListAdapter()),
          Map.entry(PACKAGE + "FilterAllFilter", new FilterAllFilterAdapter()));

  private FilterRegistry() {}

  /** The adapter for a class name, or null. */
  static FilterAdapter find(String className) {
    return ADAPTERS.get(className);
  }
}

package org.grampus.spark.filter;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.grampus.spark.mapping.Column;

/**
 * What a scan decides: rows pass whose key is in a set, and that pass a filter. Immutable, but for
 * the filter.
 *
 * @param keys of the rows
 * @param filter null = all of these
 * @param looked names of the columns that the filter looks at, which must be scanned
 * @param present names of columns that every row has which passes
 */
public record Condition(ByteRanges keys, Filter filter, Set<String> looked, Set<String> present) {
  /** All rows. */
  public static final Condition ALL = new Condition(ByteRanges.ALL, null, Set.of(), Set.of());

  /** Rows of some keys. */
  static Condition ofKeys(ByteRanges keys) {
    return new Condition(keys, null, Set.of(), Set.of());
  }

  /** Rows that have a column, with a value that passes a filter. */
  static Condition ofColumn(Column column, Filter filter) {
    Set<String> name = Set.of(column.name());
    return new Condition(ByteRanges.ALL, filter, name, name);
  }

  /** Rows that pass a filter which lets rows without its column pass. */
  static Condition ofMissing(Column column, Filter filter) {
    return new Condition(ByteRanges.ALL, filter, Set.of(column.name()), Set.of());
  }

  /** Rows that pass both. */
  public Condition and(Condition other) {
    Set<String> has = new HashSet<>(present);
    has.addAll(other.present);
    Filter both =
        filter == null || other.filter == null
            ? (filter == null ? other.filter : filter)
            : new FilterList(FilterList.Operator.MUST_PASS_ALL, List.of(filter, other.filter));
    return new Condition(keys.and(other.keys), both, lookedBy(other), Set.copyOf(has));
  }

  /** Rows that pass either; null where no scan decides that. */
  Condition or(Condition other) {
    if (filter == null && other.filter == null) {
      return ofKeys(keys.or(other.keys));
    }
    boolean ofFilters =
        filter != null && other.filter != null && keys.isAll() && other.keys.isAll();
    if (!ofFilters) {
      return null;
    }
    Set<String> has = new HashSet<>(present);
    has.retainAll(other.present);
    Filter either =
        new FilterList(FilterList.Operator.MUST_PASS_ONE, List.of(filter, other.filter));
    return new Condition(ByteRanges.ALL, either, lookedBy(other), Set.copyOf(has));
  }

  private Set<String> lookedBy(Condition other) {
    Set<String> both = new HashSet<>(looked);
    both.addAll(other.looked);
    return Set.copyOf(both);
  }
}

package org.grampus.compat.suite.scan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.BitComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.DependentColumnFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.FirstKeyValueMatchingQualifiersFilter;
import org.apache.hadoop.hbase.filter.FuzzyRowFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter;
import org.apache.hadoop.hbase.filter.MultiRowRangeFilter.RowRange;
import org.apache.hadoop.hbase.filter.MultipleColumnPrefixFilter;
import org.apache.hadoop.hbase.filter.NullComparator;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;
import org.apache.hadoop.hbase.filter.RandomRowFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueExcludeFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;

/** Filters of every kind, wrapped and in lists, that keep some of {@link ScanTable}'s cells. */
@SuppressWarnings("deprecation") // servers know filters that clients should no longer use
final class RandomFilter {
  private static final int KINDS = 25;
  private static final int DEPTH_MAX = 3;
  private static final List<CompareOperator> OPERATORS =
      List.of(
          CompareOperator.LESS,
          CompareOperator.LESS_OR_EQUAL,
          CompareOperator.EQUAL,
          CompareOperator.NOT_EQUAL,
          CompareOperator.GREATER_OR_EQUAL,
          CompareOperator.GREATER);

  private final Random random;
  private final boolean reversed;

  RandomFilter(Random random, boolean reversed) {
    this.random = random;
    this.reversed = reversed;
  }

  Filter next() {
    Filter filter = next(0);
    filter.setReversed(reversed);
    return filter;
  }

  private Filter next(int depth) {
    int kind = random.nextInt(depth < DEPTH_MAX ? KINDS + 6 : KINDS);
    return switch (kind - KINDS) {
      case 0 -> new SkipFilter(next(depth + 1));
      case 1, 2 -> new WhileMatchFilter(next(depth + 1));
      case 3, 4, 5 -> list(depth);
      default -> single(kind);
    };
  }

  private Filter list(int depth) {
    List<Filter> filters = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      filters.add(next(depth + 1));
    }
    FilterList.Operator operator =
        random.nextBoolean()
            ? FilterList.Operator.MUST_PASS_ALL
            : FilterList.Operator.MUST_PASS_ONE;
    return new FilterList(operator, filters);
  }

  private Filter single(int kind) {
    return switch (kind) {
      case 0 -> new RowFilter(operator(), keyComparator());
      case 1 -> new FamilyFilter(operator(), new BinaryComparator(family()));
      case 2 -> new QualifierFilter(operator(), new BinaryComparator(qualifier()));
      case 3 -> new ValueFilter(operator(), valueComparator());
      case 4 -> new DependentColumnFilter(family(), qualifier(), random.nextBoolean());
      case 5 ->
          new DependentColumnFilter(
              family(), qualifier(), random.nextBoolean(), operator(), valueComparator());
      case 6, 7 -> singleColumn();
      case 8 -> new ColumnValueFilter(family(), qualifier(), operator(), valueComparator());
      case 9 -> new PrefixFilter(prefix());
      case 10 -> new InclusiveStopFilter(key());
      case 11 -> new PageFilter(1 + random.nextInt(30));
      case 12 -> new ColumnCountGetFilter(1 + random.nextInt(6));
      case 13 -> new ColumnPaginationFilter(1 + random.nextInt(4), random.nextInt(3));
      case 14 -> new ColumnPaginationFilter(1 + random.nextInt(4), qualifier());
      case 15 -> new ColumnPrefixFilter(columnPrefix());
      case 16 -> columnPrefixes();
      case 17 ->
          new ColumnRangeFilter(
              random.nextInt(4) == 0 ? null : qualifier(),
              random.nextBoolean(),
              random.nextInt(4) == 0 ? null : qualifier(),
              random.nextBoolean());
      case 18 -> new FirstKeyOnlyFilter();
      case 19 -> matchingQualifiers();
      case 20 -> new KeyOnlyFilter(random.nextBoolean());
      case 21 -> timestamps();
      case 22 -> fuzzy();
      case 23 -> ranges();
      default -> new RandomRowFilter(random.nextBoolean() ? 2 : -1);
    };
  }

  private Filter singleColumn() {
    SingleColumnValueFilter filter =
        random.nextBoolean()
            ? new SingleColumnValueFilter(family(), qualifier(), operator(), valueComparator())
            : new SingleColumnValueExcludeFilter(
                family(), qualifier(), operator(), valueComparator());
    filter.setFilterIfMissing(random.nextBoolean());
    filter.setLatestVersionOnly(random.nextBoolean());
    return filter;
  }

  private Filter matchingQualifiers() {
    Set<byte[]> qualifiers = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    qualifiers.add(qualifier());
    qualifiers.add(qualifier());
    return new FirstKeyValueMatchingQualifiersFilter(qualifiers);
  }

  private Filter columnPrefixes() {
    Set<byte[]> prefixes = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    prefixes.add(columnPrefix());
    prefixes.add(columnPrefix());
    return new MultipleColumnPrefixFilter(prefixes.toArray(new byte[0][]));
  }

  private Filter timestamps() {
    List<Long> timestamps = new ArrayList<>();
    for (int i = random.nextInt(8); i >= 0; i--) {
      timestamps.add(1L + random.nextInt(ScanTable.TIMESTAMPS));
    }
    return new TimestampsFilter(timestamps, random.nextBoolean());
  }

  private Filter fuzzy() {
    List<Pair<byte[], byte[]>> patterns = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      byte[] key = Arrays.copyOf(key(), 1 + random.nextInt(5));
      byte[] mask = new byte[key.length];
      for (int at = 0; at < mask.length; at++) {
        mask[at] = (byte) random.nextInt(2);
      }
      patterns.add(new Pair<>(key, mask));
    }
    return new FuzzyRowFilter(patterns);
  }

  private Filter ranges() {
    List<RowRange> ranges = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int first = random.nextInt(ScanTable.KEYS - 40);
      byte[] start = ScanTable.key(first);
      byte[] stop = ScanTable.key(first + 1 + random.nextInt(39));
      ranges.add(new RowRange(start, random.nextBoolean(), stop, random.nextBoolean()));
    }
    return new MultiRowRangeFilter(ranges);
  }

  private CompareOperator operator() {
    return OPERATORS.get(random.nextInt(OPERATORS.size()));
  }

  private ByteArrayComparable keyComparator() {
    return switch (random.nextInt(4)) {
      case 0 -> new BinaryPrefixComparator(prefix());
      case 1 -> new SubstringComparator(String.valueOf(random.nextInt(10)));
      case 2 -> new BinaryComponentComparator(new byte[] {(byte) ('0' + random.nextInt(4))}, 2);
      default -> new BinaryComparator(key());
    };
  }

  private ByteArrayComparable valueComparator() {
    byte[] value = new byte[random.nextInt(4)];
    Arrays.fill(value, (byte) ('0' + random.nextInt(10)));
    return switch (random.nextInt(5)) {
      case 0 -> new BinaryPrefixComparator(value);
      case 1 -> new SubstringComparator(String.valueOf(random.nextInt(10)));
      case 2 -> new NullComparator();
      case 3 -> new BitComparator(value, BitComparator.BitwiseOp.XOR);
      default -> new BinaryComparator(value);
    };
  }

  private byte[] key() {
    return ScanTable.key(random.nextInt(ScanTable.KEYS));
  }

  private byte[] prefix() {
    return Arrays.copyOf(key(), 1 + random.nextInt(3));
  }

  private byte[] family() {
    return ScanTable.FAMILIES.get(random.nextInt(ScanTable.FAMILIES.size()));
  }

  private byte[] qualifier() {
    return ScanTable.qualifier(random.nextInt(ScanTable.COLUMNS));
  }

  private byte[] columnPrefix() {
    return Arrays.copyOf(qualifier(), 1 + random.nextInt(2));
  }
}

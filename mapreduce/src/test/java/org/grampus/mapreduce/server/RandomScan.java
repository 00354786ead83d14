package org.grampus.mapreduce.server;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Scans of a table that chance has made. One thread. */
final class RandomScan {
  private final Random random;
  private final RandomHistory table;

  RandomScan(Random random, RandomHistory table) {
    this.random = random;
    this.table = table;
  }

  /** A scan; its results may come in any order of the splits. */
  Scan scan() throws IOException {
    Scan scan = new Scan();
    if (random.nextInt(4) == 0) {
      scan.setRaw(true).readAllVersions(); // which takes no columns
    } else {
      versions(scan);
      columns(scan);
    }
    rows(scan);
    times(scan);
    if (random.nextInt(3) == 0) {
      scan.setFilter(filter());
    } else if (random.nextInt(3) == 0) {
      scan.setBatch(1 + random.nextInt(4));
    }
    return scan;
  }

  private void versions(Scan scan) {
    if (random.nextBoolean()) {
      scan.readAllVersions();
    } else {
      scan.readVersions(1 + random.nextInt(3));
    }
  }

  private void columns(Scan scan) {
    switch (random.nextInt(4)) {
      case 0 -> scan.addFamily(table.familyName());
      case 1 ->
          scan.addColumn(table.familyName(), table.column())
              .addColumn(table.familyName(), table.column());
      default -> {} // all
    }
  }

  private void rows(Scan scan) {
    byte[] one = table.row();
    byte[] other = table.row();
    boolean isInOrder = Bytes.compareTo(one, other) <= 0;
    boolean isReversed = random.nextInt(4) == 0;
    scan.setReversed(isReversed);
    if (random.nextInt(3) == 0) {
      scan.withStartRow(isInOrder == isReversed ? other : one, random.nextBoolean())
          .withStopRow(isInOrder == isReversed ? one : other, random.nextBoolean());
    }
  }

  private void times(Scan scan) throws IOException {
    if (random.nextInt(4) == 0) {
      long one = table.time();
      long other = table.time();
      scan.setTimeRange(Math.min(one, other), Math.max(one, other) + 1);
    }
  }

  private Filter filter() {
    return switch (random.nextInt(5)) {
      case 0 -> new KeyOnlyFilter();
      case 1 -> new RowFilter(CompareOperator.EQUAL, new RegexStringComparator("row...[37]."));
      case 2 ->
          new ValueFilter(
              CompareOperator.EQUAL, new BinaryPrefixComparator(Bytes.toBytes("value1")));
      case 3 -> new ColumnPaginationFilter(2, 1);
      default -> byValue();
    };
  }

  private Filter byValue() {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            table.familyName(),
            table.column(),
            CompareOperator.GREATER,
            Bytes.toBytes("value" + random.nextInt(1000)));
    filter.setFilterIfMissing(random.nextBoolean());
    return filter;
  }
}

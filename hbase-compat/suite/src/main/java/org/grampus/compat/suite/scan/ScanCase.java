package org.grampus.compat.suite.scan;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.client.Scan;

/**
 * A scan and how its calls are made.
 *
 * @param scan the scan
 * @param rowsPerCall results wanted of each call
 * @param limitOfRows rows wanted of each call, 0 = no limit
 * @param partials the client takes partial results
 * @param heartbeats the client takes heartbeats
 */
record ScanCase(Scan scan, int rowsPerCall, int limitOfRows, boolean partials, boolean heartbeats) {
  private static final int[] RESULT_SIZES = {200, 600, 2_000, 10_000, 100_000, 2 << 20, 100 << 20};

  private static final int[] ROWS_PER_CALL = {1, 2, 3, 7, 30, 1000};

  /** The case of a number; the same for both servers. */
  static ScanCase of(long seed, int number) throws IOException {
    Random random = new Random(seed * 1_000_003 + number);
    Scan scan = new Scan();
    boolean reversed = random.nextInt(3) == 0;
    scan.setReversed(reversed);
    bounds(scan, random);
    boolean raw = random.nextInt(8) == 0;
    columns(scan, random, raw);
    scan.setRaw(raw);
    scan.readVersions(1 + random.nextInt(3));
    if (random.nextInt(4) == 0) {
      int from = random.nextInt(ScanTable.TIMESTAMPS);
      scan.setTimeRange(from, from + 1 + random.nextInt(ScanTable.TIMESTAMPS));
    }
    if (random.nextInt(3) > 0) {
      scan.setFilter(new RandomFilter(random, reversed).next());
    }
    if (random.nextInt(4) == 0 && !(scan.hasFilter() && scan.getFilter().hasFilterRow())) {
      scan.setBatch(1 + random.nextInt(6));
    }
    if (random.nextInt(6) == 0) {
      scan.setMaxResultsPerColumnFamily(random.nextInt(5));
      scan.setRowOffsetPerColumnFamily(random.nextInt(3));
    }
    if (random.nextInt(3) > 0) {
      scan.setMaxResultSize(RESULT_SIZES[random.nextInt(RESULT_SIZES.length)]);
    }
    // Without filterRow the counts of rows are those of the families that the filter needs, in
    // HBase.
    scan.setLoadColumnFamiliesOnDemand(
        random.nextBoolean() && (!scan.hasFilter() || scan.getFilter().hasFilterRow()));
    scan.setAllowPartialResults(random.nextInt(3) == 0);
    // By default HBase ends a call early when it changes its way of reading.
    scan.setReadType(random.nextBoolean() ? Scan.ReadType.PREAD : Scan.ReadType.STREAM);
    int rows = ROWS_PER_CALL[random.nextInt(ROWS_PER_CALL.length)];
    scan.setCaching(rows);
    int limit = random.nextInt(5) == 0 ? 1 + random.nextInt(20) : 0;
    boolean partials = random.nextInt(4) > 0;
    return new ScanCase(scan, rows, limit, partials, random.nextInt(4) > 0);
  }

  /**
   * Whether a server must look at every cell as HBase does. Cells of which a time range or a list
   * of columns leaves nothing may be passed over without being looked at: then the server knows
   * sooner that a row or region has no more, and counts fewer rows.
   */
  boolean seesEveryCell() {
    return scan.getTimeRange().isAllTime()
        && scan.getFamilyMap().values().stream().allMatch(columns -> columns == null);
  }

  /**
   * Whether the stock client hands out whole rows. Parts of rows it counts towards the limit of
   * rows by their flags: where HBase says that a row may have more cells, and none of them is
   * wanted, the client returns more rows than the limit.
   */
  boolean returnsWholeRows() {
    return scan.getBatch() <= 0 && !scan.getAllowPartialResults();
  }

  /**
   * Whether the answer does not depend on which hidden cells a flush has left out. HBase's size
   * limit also counts the bytes of blocks, those of hidden cells among them, and where it ends a
   * reply within a row a ColumnCountGetFilter that has counted enough ends the region.
   */
  boolean seesOnlyVisibleCells() {
    boolean countsColumns =
        scan.hasFilter() && scan.getFilter().toString().contains("ColumnCountGetFilter");
    return !scan.isRaw() && scan.getTimeRange().isAllTime() && !countsColumns;
  }

  /**
   * Whether no call reaches a limit of bytes in {@link ScanTable#MIXED}. Raw scans also show cells
   * of the same place that a flush would have made one.
   */
  boolean reachesNoSizeLimit() {
    long size = scan.getMaxResultSize();
    return !scan.isRaw() && (size <= 0 || size >= ScanTable.MIXED_BYTES_MAX);
  }

  private static void bounds(Scan scan, Random random) {
    int first = random.nextInt(ScanTable.KEYS);
    int second = random.nextInt(ScanTable.KEYS);
    int low = Math.min(first, second);
    int high = Math.max(first, second);
    if (random.nextBoolean()) {
      scan.withStartRow(ScanTable.key(scan.isReversed() ? high : low), random.nextBoolean());
    }
    if (random.nextBoolean()) {
      scan.withStopRow(ScanTable.key(scan.isReversed() ? low : high), random.nextBoolean());
    }
  }

  private static void columns(Scan scan, Random random, boolean raw) {
    if (random.nextBoolean()) {
      return;
    }
    for (byte[] family : ScanTable.FAMILIES) {
      if (random.nextBoolean()) {
        continue;
      }
      scan.addFamily(family);
      if (!raw && random.nextBoolean()) {
        for (int i = random.nextInt(4); i >= 0; i--) {
          scan.addColumn(family, ScanTable.qualifier(random.nextInt(ScanTable.COLUMNS)));
        }
      }
    }
  }

  @Override
  public String toString() {
    return String.format(
        "rows per call %d, limit %d, partials %s, heartbeats %s, %s",
        rowsPerCall, limitOfRows, partials, heartbeats, scan);
  }
}

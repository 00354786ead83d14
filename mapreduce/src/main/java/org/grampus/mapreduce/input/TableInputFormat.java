package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.exceptions.IllegalArgumentIOException;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.RegionSizeCalculator;
import org.apache.hadoop.hbase.mapreduce.TableRecordReader;
import org.apache.hadoop.hbase.mapreduce.TableSplit;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.settings.CheckedValues;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's format of the same name with its keys and hooks, on any HBase: splits of equal bytes, no
 * row lost at the ends of splits, scans that go on behind the last row when a scanner is lost, and
 * true progress. What cannot be done is an error, and not only logged.
 */
public class TableInputFormat extends org.apache.hadoop.hbase.mapreduce.TableInputFormat {
  private static final Logger LOG = LoggerFactory.getLogger(TableInputFormat.class);

  /** Spreads hashes that are near each other (Knuth's multiplicative hashing). */
  private static final int GOLDEN = 0x9E3779B9;

  private boolean hasReader;

  /** That of the table; null where a subclass has its table from elsewhere. */
  private Connection connection;

  /** For the framework. */
  public TableInputFormat() {}

  /**
   * Takes a job's configuration, and its scan from it.
   *
   * @throws IllegalArgumentException when a key of the scan has an impossible value
   */
  @Override
  public void setConf(Configuration configuration) {
    super.setConf(configuration);
    setScan(settings().scan());
  }

  private ScanSettings settings() {
    return ScanSettings.of(getConf(), ReaderKind.TABLE);
  }

  @Override
  protected void initialize(JobContext context) throws IOException {
    String table = getConf().get(INPUT_TABLE);
    if (table == null) {
      throw new IOException("the job names no table; set " + INPUT_TABLE);
    }
    initializeTable(
        ConnectionFactory.createConnection(new Configuration(getConf())), TableName.valueOf(table));
  }

  @Override
  protected void initializeTable(Connection ofTable, TableName table) throws IOException {
    super.initializeTable(ofTable, table);
    connection = ofTable;
  }

  @Override
  protected void closeTable() throws IOException {
    super.closeTable();
    connection = null;
  }

  @Override
  protected void setTableRecordReader(TableRecordReader reader) {
    hasReader = reader != null;
    super.setTableRecordReader(reader);
  }

  /** Whether there is a table; a subclass may have its own, or have called initializeTable. */
  private boolean hasTable() {
    try {
      return getTable() != null;
    } catch (IllegalStateException e) {
      return false;
    }
  }

  @Override
  protected RegionLocator getRegionLocator() {
    RegionLocator locator = super.getRegionLocator();
    return locator == null ? null : new PresentLocations(locator);
  }

  private void requireTable(JobContext context) throws IOException {
    if (!hasTable()) {
      initialize(context);
    }
    if (!hasTable()) {
      throw new IOException(getClass().getName() + " has no table after its initialize");
    }
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    boolean opened = !hasTable();
    requireTable(context);
    try {
      ScanSettings settings = settings();
      settings.log(LOG);
      settings.record(context.getConfiguration());
      KeyRange range = KeyRange.ofScan(getScan());
      List<TableSplit> regions = regions();
      SplitGoal goal = TableSplits.goal(context.getConfiguration(), regions, range);
      List<InputSplit> splits =
          new ArrayList<>(
              TableSplits.plan(
                  context.getConfiguration(),
                  connection,
                  getTable().getName(),
                  regions,
                  range,
                  goal));
      LOG.info("{} splits of {}, {}", splits.size(), getTable().getName(), goal);
      if (CheckedValues.bool(getConf(), SHUFFLE_MAPS, false)) {
        splits.sort(Comparator.comparingInt(TableInputFormat::hash));
      }
      return splits;
    } finally {
      if (opened) {
        closeTable();
      }
    }
  }

  /** Neighbours get far apart, in every run in the same way. */
  private static int hash(InputSplit split) {
    return Arrays.hashCode(((TableSplit) split).getStartRow()) * GOLDEN;
  }

  /** A split for each region that the hooks let pass. */
  private List<TableSplit> regions() throws IOException {
    RegionSizeCalculator sizes = createRegionSizeCalculator(getRegionLocator(), getAdmin());
    Pair<byte[][], byte[][]> keys = getStartEndKeys();
    boolean known = keys != null && keys.getFirst() != null && keys.getFirst().length > 0;
    byte[][] starts = known ? keys.getFirst() : new byte[][] {HConstants.EMPTY_BYTE_ARRAY};
    byte[][] ends = known ? keys.getSecond() : new byte[][] {HConstants.EMPTY_BYTE_ARRAY};
    HRegionLocation[] locations = new HRegionLocation[starts.length];
    Map<String, Integer> parts = new HashMap<>();
    for (int i = 0; i < starts.length; i++) {
      locations[i] = getRegionLocator().getRegionLocation(starts[i], false);
      parts.merge(locations[i].getRegion().getEncodedName(), 1, Integer::sum);
    }
    List<TableSplit> regions = new ArrayList<>();
    for (int i = 0; i < starts.length; i++) {
      if (includeRegionInSplit(starts[i], ends[i])) {
        RegionInfo region = locations[i].getRegion();
        // Start keys of another table, or of a subclass, cut a region; of its parts no more is
        // known.
        long bytes =
            sizes.getRegionSize(region.getRegionName()) / parts.get(region.getEncodedName());
        regions.add(
            new ServedRegion(getTable().getName(), starts[i], ends[i], locations[i], bytes));
      }
    }
    return regions;
  }

  /** As HBase's, without losing rows behind an open end; fewer where keys are too near. */
  @Override
  protected List<InputSplit> createNInputSplitsUniform(InputSplit split, int n)
      throws IllegalArgumentIOException {
    if (!(split instanceof TableSplit region)) {
      throw new IllegalArgumentIOException("not a split of a table: " + split);
    }
    return planned(List.of(region), SplitGoal.perRegion(Math.max(1, n)));
  }

  /** As HBase's, with equal bytes. */
  @Override
  public List<InputSplit> calculateAutoBalancedSplits(
      List<InputSplit> splits, long maxAverageRegionSize) throws IOException {
    List<TableSplit> regions = splits.stream().map(TableSplit.class::cast).toList();
    long bytes = regions.stream().mapToLong(TableSplit::getLength).sum();
    return planned(regions, SplitSettings.balanced(regions.size(), bytes, maxAverageRegionSize));
  }

  private static List<InputSplit> planned(List<TableSplit> regions, SplitGoal goal) {
    return new ArrayList<>(TableSplits.plan(regions, KeyRange.ALL, goal));
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> createRecordReader(
      InputSplit split, TaskAttemptContext context) throws IOException {
    if (hasReader) {
      return super.createRecordReader(split, context); // the subclass reads in its own way
    }
    requireTable(context);
    try {
      return reader(split);
    } catch (RuntimeException e) {
      closeTable();
      throw e;
    }
  }

  private SplitReader reader(InputSplit split) {
    ScanSettings settings = settings();
    settings.log(LOG);
    LOG.info("reading {}", split);
    return new SplitReader(
        (given, task) ->
            new TableRows(
                getTable(),
                settings,
                getScan(),
                KeyRange.ofSplit(
                    ((TableSplit) given).getStartRow(), ((TableSplit) given).getEndRow()),
                PlannedTableSplit.piecesOf((TableSplit) given),
                ReadCounters.Counting.of(task)),
        this::closeTable);
  }
}

package org.grampus.mapreduce.mapred;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapred.TableRecordReader;
import org.apache.hadoop.hbase.mapreduce.RegionSizeCalculator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.grampus.mapreduce.input.KeyRange;
import org.grampus.mapreduce.input.PresentLocations;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.input.ServedRegion;
import org.grampus.mapreduce.input.SplitGoal;
import org.grampus.mapreduce.input.SplitSettings;
import org.grampus.mapreduce.input.TableRows;
import org.grampus.mapreduce.input.TableSplits;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@link org.grampus.mapreduce.input.TableInputFormat} for the old API, with HBase's keys. */
public class TableInputFormat extends org.apache.hadoop.hbase.mapred.TableInputFormat {
  private static final Logger LOG = LoggerFactory.getLogger(TableInputFormat.class);

  private Connection connection;
  private boolean hasReader;
  private byte[][] columns;

  /** Those of the job's key, if nothing else was set; the settings of the scan have them too. */
  private byte[][] ofJob;

  private Filter filter;

  /** For the framework. */
  public TableInputFormat() {}

  /**
   * Takes the columns. Connects later, when the framework wants splits or a reader: only then can
   * it fail well. A subclass that needs its table here calls initialize.
   */
  @Override
  public void configure(JobConf job) {
    String list = job.get(COLUMN_LIST);
    if (list != null) {
      setInputColumns(columns(list));
      ofJob = columns;
    }
  }

  private static byte[][] columns(String list) {
    return List.of(list.trim().split(" +")).stream().map(Bytes::toBytes).toArray(byte[][]::new);
  }

  @Override
  protected void initialize(JobConf job) throws IOException {
    String name = job.get(org.apache.hadoop.hbase.mapreduce.TableInputFormat.INPUT_TABLE);
    Path[] paths = FileInputFormat.getInputPaths(job);
    if (paths.length == 0 && name == null) {
      throw new IOException("the job names no table as its input path");
    }
    TableName table = TableName.valueOf(paths.length > 0 ? paths[0].getName() : name);
    initializeTable(ConnectionFactory.createConnection(new Configuration(job)), table);
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
  protected void setInputColumns(byte[][] inputColumns) {
    columns = inputColumns;
    super.setInputColumns(inputColumns);
  }

  @Override
  protected void setRowFilter(Filter rowFilter) {
    filter = rowFilter;
    super.setRowFilter(rowFilter);
  }

  @Override
  protected void setTableRecordReader(TableRecordReader reader) {
    hasReader = reader != null;
    super.setTableRecordReader(reader);
  }

  private void requireTable(JobConf job) throws IOException {
    if (connection == null) {
      initialize(job);
    }
    if (connection == null) {
      throw new IOException(getClass().getName() + " has no table after its initialize");
    }
  }

  /** What a subclass has set goes before the job's keys, for it knows the job. */
  private Scan scan(ScanSettings settings) {
    Scan scan = settings.scan();
    if (columns != null && columns != ofJob) {
      scan.setFamilyMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));
      org.apache.hadoop.hbase.mapreduce.TableInputFormat.addColumns(scan, columns);
    }
    return filter == null ? scan : scan.setFilter(filter);
  }

  /** As many splits as HBase's format makes, unless the job's keys say something else. */
  @Override
  public InputSplit[] getSplits(JobConf job, int splitsHint) throws IOException {
    boolean opened = connection == null;
    requireTable(job);
    try {
      ScanSettings settings = ScanSettings.of(job, ReaderKind.TABLE_OF_OLD_API);
      settings.log(LOG);
      settings.record(job);
      KeyRange range = KeyRange.ofScan(scan(settings));
      List<org.apache.hadoop.hbase.mapreduce.TableSplit> regions = regions();
      SplitGoal goal =
          SplitSettings.saysNothing(job)
              ? SplitGoal.total(Math.max(1, Math.min(splitsHint, regions.size())))
              : TableSplits.goal(job, regions, range);
      return TableSplits.plan(job, connection, getTable().getName(), regions, range, goal).stream()
          .map(PlannedTableSplit::new)
          .toArray(InputSplit[]::new);
    } finally {
      if (opened) {
        closeTable();
      }
    }
  }

  private List<org.apache.hadoop.hbase.mapreduce.TableSplit> regions() throws IOException {
    TableName table = getTable().getName();
    List<org.apache.hadoop.hbase.mapreduce.TableSplit> regions = new ArrayList<>();
    try (RegionLocator locator = new PresentLocations(connection.getRegionLocator(table));
        Admin admin = connection.getAdmin()) {
      RegionSizeCalculator sizes = new RegionSizeCalculator(locator, admin);
      for (HRegionLocation location : locator.getAllRegionLocations()) {
        // A replica has the rows of the default one.
        if (RegionReplicaUtil.isDefaultReplica(location.getRegion())) {
          regions.add(region(table, location, located(location, locator), sizes));
        }
      }
    }
    if (regions.isEmpty()) {
      throw new TableNotFoundException(table);
    }
    return regions;
  }

  /** A region that is not open yet, as after a split, is asked for until it is. */
  private static HRegionLocation located(HRegionLocation listed, RegionLocator locator)
      throws IOException {
    return listed.getServerName() != null
        ? listed
        : locator.getRegionLocation(listed.getRegion().getStartKey(), true);
  }

  /** The rows are those of the list: what serves the first of them now may have fewer. */
  private static org.apache.hadoop.hbase.mapreduce.TableSplit region(
      TableName table,
      HRegionLocation listed,
      HRegionLocation location,
      RegionSizeCalculator sizes) {
    return new ServedRegion(
        table,
        listed.getRegion().getStartKey(),
        listed.getRegion().getEndKey(),
        location,
        sizes.getRegionSize(listed.getRegion().getRegionName()));
  }

  @Override
  public RecordReader<ImmutableBytesWritable, Result> getRecordReader(
      InputSplit split, JobConf job, Reporter reporter) throws IOException {
    if (hasReader) {
      return super.getRecordReader(split, job, reporter); // the subclass reads in its own way
    }
    requireTable(job);
    try {
      TableRows rows =
          rows((org.apache.hadoop.hbase.mapred.TableSplit) split, job, reporter::incrCounter);
      return new ResultReader(rows, this::closeTable);
    } catch (IOException | RuntimeException e) {
      closeTable();
      throw e;
    }
  }

  private TableRows rows(
      org.apache.hadoop.hbase.mapred.TableSplit split, JobConf job, ReadCounters.Counting counting)
      throws IOException {
    ScanSettings settings = ScanSettings.of(job, ReaderKind.TABLE_OF_OLD_API);
    settings.log(LOG);
    LOG.info("reading {}", split);
    return new TableRows(
        getTable(),
        settings,
        scan(settings),
        KeyRange.ofSplit(split.getStartRow(), split.getEndRow()),
        PlannedTableSplit.piecesOf(split),
        counting);
  }
}

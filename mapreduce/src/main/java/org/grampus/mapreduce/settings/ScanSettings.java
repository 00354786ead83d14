package org.grampus.mapreduce.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.IncompatibleFilterException;
import org.apache.hadoop.hbase.filter.ParseFilter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.mapreduce.keys.JobKeys;
import org.slf4j.Logger;

/**
 * The scan that a job means. Each setting is taken from the first of these that has it: the command
 * line, the job's keys, the Scan object, the site's files. Immutable.
 */
public final class ScanSettings {
  private static final int UNSET = -1;
  private static final Pattern NOT_PRINTABLE = Pattern.compile("[^\\x20-\\x7E]");

  private final Configuration conf;
  private final Precedence precedence;
  private final ReaderKind reader;
  private final Scan scan;
  private final Map<String, Setting> effective = new LinkedHashMap<>();
  private final List<String> warnings;

  private ScanSettings(Configuration conf, ReaderKind reader) {
    this.conf = conf;
    this.precedence = new Precedence(conf);
    this.reader = reader;
    CheckedValues.require(conf);
    this.scan = given();
    rows();
    columns();
    times();
    versions();
    batch();
    filter();
    calls();
    this.warnings = List.copyOf(IgnoredKeys.sentences(conf, reader));
  }

  /**
   * The settings of a job.
   *
   * @throws IllegalArgumentException when a key's value cannot be what it must be
   */
  public static ScanSettings of(Configuration conf, ReaderKind reader) {
    return new ScanSettings(conf, reader);
  }

  /**
   * Refuses keys of a job, before anything is done by them.
   *
   * @throws IllegalArgumentException as {@link #of} does
   */
  public static void requireValid(Configuration conf, ReaderKind reader) {
    of(conf, reader);
  }

  /**
   * Makes a scan all that a job reads: keys that would give it other rows or cells, from wherever
   * they come, are taken out of the job.
   *
   * @throws IOException when the scan cannot be written down
   */
  public static void setOnlyScan(Configuration job, Scan scan) throws IOException {
    ScanKeys.SELECTION.forEach(job::unset);
    job.set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
  }

  /** Whether a key gives a scan other rows or cells. */
  public static boolean selectsRows(String key) {
    return ScanKeys.SELECTION.contains(key);
  }

  /** Whether a key says which table or snapshot is read, or with which Scan. */
  public static boolean selectsInput(String key) {
    return ScanKeys.INPUT.contains(key);
  }

  /** The job's Scan, or one that leaves the block cache alone, as HBase's format makes it. */
  private Scan given() {
    String serialized = conf.get(TableInputFormat.SCAN);
    if (serialized == null) {
      return new Scan().setCacheBlocks(false);
    }
    try {
      return TableMapReduceUtil.convertStringToScan(serialized);
    } catch (IOException | RuntimeException e) {
      throw refused(TableInputFormat.SCAN, e);
    }
  }

  private boolean wins(String key) {
    return precedence.wins(key);
  }

  private Origin origin(String... keys) {
    return precedence.first(keys);
  }

  private void put(String name, Object value, Origin origin) {
    effective.put(name, new Setting(printable(String.valueOf(value)), origin));
  }

  /** The text of a custom filter may have characters that the XML of a job cannot have. */
  static String printable(String text) {
    return NOT_PRINTABLE.matcher(text).replaceAll(".");
  }

  private void rows() {
    if (wins(TableInputFormat.SCAN_ROW_START)) {
      scan.withStartRow(Bytes.toBytesBinary(conf.get(TableInputFormat.SCAN_ROW_START)));
    }
    if (wins(TableInputFormat.SCAN_ROW_STOP)) {
      scan.withStopRow(Bytes.toBytesBinary(conf.get(TableInputFormat.SCAN_ROW_STOP)));
    }
    String rows =
        (scan.includeStartRow() ? "[" : "(")
            + Bytes.toStringBinary(scan.getStartRow())
            + ", "
            + Bytes.toStringBinary(scan.getStopRow())
            + (scan.includeStopRow() ? "]" : ")");
    put("rows", rows, origin(TableInputFormat.SCAN_ROW_START, TableInputFormat.SCAN_ROW_STOP));
  }

  /** As in HBase, a family after columns of it means all of them. */
  private void columns() {
    boolean columns = wins(TableInputFormat.SCAN_COLUMNS);
    boolean families = wins(TableInputFormat.SCAN_COLUMN_FAMILY);
    boolean list = !precedence.hasScan() && wins(ScanKeys.COLUMN_LIST);
    if (columns || families || list) {
      scan.setFamilyMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));
    }
    if (list) {
      add(conf.get(ScanKeys.COLUMN_LIST));
    }
    if (columns) {
      add(conf.get(TableInputFormat.SCAN_COLUMNS));
    }
    if (families) {
      for (String family : conf.getTrimmedStrings(TableInputFormat.SCAN_COLUMN_FAMILY)) {
        scan.addFamily(Bytes.toBytes(family));
      }
    }
    Origin origin =
        list
            ? Origin.of(conf, ScanKeys.COLUMN_LIST)
            : origin(TableInputFormat.SCAN_COLUMNS, TableInputFormat.SCAN_COLUMN_FAMILY);
    put("columns", shownColumns(), origin);
  }

  private void add(String columns) {
    for (String column : columns.trim().split(" +", -1)) {
      byte[][] parts = CellUtil.parseColumn(Bytes.toBytes(column));
      if (parts.length == 1) {
        scan.addFamily(parts[0]);
      } else {
        scan.addColumn(parts[0], parts[1]);
      }
    }
  }

  private String shownColumns() {
    StringBuilder shown = new StringBuilder();
    scan.getFamilyMap()
        .forEach(
            (family, qualifiers) -> {
              String name = Bytes.toStringBinary(family);
              if (qualifiers == null) {
                shown.append(' ').append(name);
              } else {
                qualifiers.forEach(
                    qualifier ->
                        shown.append(' ').append(name + ":" + Bytes.toStringBinary(qualifier)));
              }
            });
    return shown.isEmpty() ? "all" : shown.substring(1);
  }

  private void times() {
    String start = TableInputFormat.SCAN_TIMERANGE_START;
    String end = TableInputFormat.SCAN_TIMERANGE_END;
    if (wins(start) || wins(end)) {
      long from = wins(start) ? CheckedValues.number(conf, start, 0) : 0;
      long to = wins(end) ? CheckedValues.number(conf, end, 0) : Long.MAX_VALUE;
      try {
        scan.setTimeRange(from, to);
      } catch (IOException | IllegalArgumentException e) {
        throw refused(start + " = " + from + " with " + end + " = " + to, e);
      }
    } else if (wins(TableInputFormat.SCAN_TIMESTAMP)) {
      scan.setTimestamp(CheckedValues.number(conf, TableInputFormat.SCAN_TIMESTAMP, 0));
    }
    TimeRange range = scan.getTimeRange();
    put(
        "times",
        "[" + range.getMin() + ", " + range.getMax() + ")",
        origin(
            TableInputFormat.SCAN_TIMERANGE_START,
            TableInputFormat.SCAN_TIMERANGE_END,
            TableInputFormat.SCAN_TIMESTAMP));
  }

  private void filter() {
    if (wins(JobKeys.SCAN_FILTER)) {
      byte[] text = conf.get(JobKeys.SCAN_FILTER).getBytes(StandardCharsets.UTF_8);
      try {
        scan.setFilter(new ParseFilter().parseFilterString(text));
      } catch (IOException | RuntimeException e) {
        throw refused(JobKeys.SCAN_FILTER, e);
      }
    }
    Object shown = scan.getFilter() == null ? "none" : scan.getFilter();
    put("filter", shown, origin(JobKeys.SCAN_FILTER));
  }

  /** What concerns the calls to a server. */
  private void calls() {
    if (!reader.ofTable()) {
      scan.setCacheBlocks(false); // pages are read once
      return;
    }
    if (wins(TableInputFormat.SCAN_CACHEBLOCKS)) {
      scan.setCacheBlocks(CheckedValues.bool(conf, TableInputFormat.SCAN_CACHEBLOCKS, false));
    }
    put("cacheblocks", scan.getCacheBlocks(), origin(TableInputFormat.SCAN_CACHEBLOCKS));
    sizeOfCall(
        "caching",
        TableInputFormat.SCAN_CACHEDROWS,
        ScanKeys.CLIENT_CACHING,
        Integer.MAX_VALUE,
        scan.getCaching(),
        rows -> scan.setCaching((int) rows));
    sizeOfCall(
        "max.result.size",
        JobKeys.SCAN_MAX_RESULT_SIZE,
        ScanKeys.CLIENT_MAX_RESULT_SIZE,
        Long.MAX_VALUE,
        scan.getMaxResultSize(),
        scan::setMaxResultSize);
  }

  /**
   * Of a job's key, the client's key of the same meaning, and the Scan, what comes first. A job's
   * key of 0 or less leaves it to the client, whatever the Scan says.
   */
  private void sizeOfCall(
      String name, String jobKey, String clientKey, long max, long ofScan, LongConsumer setter) {
    boolean client = precedence.clientWins(clientKey, jobKey);
    long size = ofScan;
    Origin origin = Origin.SCAN;
    if (!client && wins(jobKey)) {
      size = CheckedValues.number(conf, jobKey, Long.MIN_VALUE, max);
      origin = Origin.of(conf, jobKey);
    } else if (client) {
      size = CheckedValues.number(conf, clientKey, 1, max);
      origin = Origin.COMMAND_LINE;
    }
    setter.accept(size > 0 ? size : UNSET);
    if (size > 0) {
      put(name, size, origin);
    } else {
      // The client looks there itself. A key that was copied from a site's file looks like a job's.
      put(name, conf.get(clientKey, "the client's own"), Origin.SITE);
    }
  }

  private void versions() {
    String key = TableInputFormat.SCAN_MAXVERSIONS;
    if (wins(key)) {
      scan.readVersions(CheckedValues.count(conf, key));
    }
    put("versions", scan.getMaxVersions(), origin(key));
  }

  /** A key of 0 or less means whole rows, whatever the Scan says. */
  private void batch() {
    String key = TableInputFormat.SCAN_BATCHSIZE;
    if (wins(key)) {
      int batch = (int) CheckedValues.number(conf, key, Integer.MIN_VALUE, Integer.MAX_VALUE);
      if (batch > 0) {
        try {
          scan.setBatch(batch);
        } catch (IncompatibleFilterException e) {
          throw refused(key, e);
        }
      } else {
        withoutBatch();
      }
    }
    put("batch", scan.getBatch(), origin(key));
  }

  /** Scan takes no number of a batch, not even none, beside a filter of whole rows. */
  private void withoutBatch() {
    Filter filter = scan.getFilter();
    scan.setFilter(null);
    scan.setBatch(UNSET);
    scan.setFilter(filter);
  }

  /** A sentence that begins with what cannot be, by the keys that have said it. */
  private static IllegalArgumentException refused(String keys, Exception cause) {
    return new IllegalArgumentException(keys + " cannot be: " + cause.getMessage(), cause);
  }

  /** The scan; the caller may change it. */
  public Scan scan() {
    try {
      return new Scan(scan);
    } catch (IOException e) {
      throw new IllegalStateException("a scan cannot be copied", e);
    }
  }

  /** The settings that count, by short names. */
  public Map<String, Setting> effective() {
    return Collections.unmodifiableMap(effective);
  }

  /** Sentences about keys without effect. */
  public List<String> warnings() {
    return warnings;
  }

  /** Logs all of it; once for each task and once for the job. */
  public void log(Logger log) {
    log.info("effective settings of the scan: {}", effective);
    warnings.forEach(log::warn);
  }

  /** Puts the effective settings into the configuration of a job that is being submitted. */
  public void record(Configuration job) {
    effective.forEach((name, setting) -> job.set(JobKeys.EFFECTIVE + name, setting.toString()));
  }
}

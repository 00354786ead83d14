package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.util.Time;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the column files of a directory into a table: HBase's own tool, after files that have rows
 * of several regions were cut. The files of all families that belong to a region come into it
 * together or not at all; when some regions have theirs and another fails, the directory has what
 * is left, and a second call loads that. One thread; the tool has its own.
 */
public final class ColumnFileLoader {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnFileLoader.class);
  private static final int ROUNDS = 10;

  private final Connection connection;
  private final TableName table;
  private final Configuration conf;

  /** A loader for a table. */
  public ColumnFileLoader(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
    this.conf = new Configuration(connection.getConfiguration());
    // It would cut them as HFiles; here they are cut before.
    conf.setBoolean(BulkLoadHFilesTool.FAIL_IF_NEED_SPLIT_HFILE, true);
    conf.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, false);
  }

  /**
   * Loads a directory with one directory per family. The files are moved into the table.
   *
   * @throws IOException when files cannot be loaded, or it is not known that they are. What is not
   *     in the table is in the directory once its regions are open, so that the call can be
   *     repeated. Also when another loader has files of the directory: what becomes of them is not
   *     known here
   */
  public LoadSummary load(Path directory) throws IOException {
    long start = Time.monotonicNow();
    FileSystem fs = directory.getFileSystem(conf);
    if (FileRange.below(fs, directory, conf).isEmpty()) {
      LoadMark.requireNone(fs, directory);
      return new Totals().summary(Time.monotonicNow() - start);
    }
    LoadMark mark = LoadMark.set(fs, directory);
    try {
      return load(fs, directory, start);
    } finally {
      mark.clear();
    }
  }

  private LoadSummary load(FileSystem fs, Path directory, long start) throws IOException {
    int rounds = conf.getInt(HConstants.BULKLOAD_MAX_RETRIES_NUMBER, ROUNDS);
    Totals totals = new Totals();
    for (int round = 1; ; round++) {
      SpanCutter cutter = cutter(fs);
      totals.cut += cut(cutter, FileRange.below(fs, directory, conf));
      List<FileRange> files = FileRange.below(fs, directory, conf);
      Attempt attempt = attempt(directory);
      IOException failure = attempt.failure();
      List<FileRange> left = FileRange.below(fs, directory, conf);
      if (failure != null && !asksForACut(failure)) {
        throw failed(directory, left, failure);
      }
      if (failure == null) {
        requireOurs(directory, files, left, attempt.loaded());
      }
      totals.add(files, left, cutter);
      if (left.isEmpty()) {
        return totals.summary(Time.monotonicNow() - start);
      }
      if (failure == null || round >= rounds) {
        throw failed(directory, left, failure);
      }
      LOG.info("regions of {} were split meanwhile: {} files are left", table, left.size());
    }
  }

  /**
   * Whether the tool has ended before a call, for a file that has rows of several regions by now.
   */
  private static boolean asksForACut(IOException failure) {
    String message = failure.getMessage();
    return message != null && message.contains(BulkLoadHFilesTool.FAIL_IF_NEED_SPLIT_HFILE);
  }

  private static int cut(SpanCutter cutter, List<FileRange> files) throws IOException {
    int cut = 0;
    for (FileRange file : files) {
      if (!cutter.fits(file)) {
        int pieces = cutter.cut(file);
        LOG.info("{} had rows of several regions and was cut into {} files", file.path(), pieces);
        cut++;
      }
    }
    return cut;
  }

  /**
   * One run of the tool.
   *
   * @param loaded the files that it says are in the table
   * @param failure what went wrong, or null
   */
  private record Attempt(Set<Path> loaded, IOException failure) {}

  private Attempt attempt(Path directory) {
    try {
      Set<Path> loaded =
          new BulkLoadHFilesTool(conf)
              .bulkLoad(table, directory).keySet().stream()
                  .map(BulkLoadHFiles.LoadQueueItem::getFilePath)
                  .collect(Collectors.toSet());
      return new Attempt(loaded, null);
    } catch (IOException e) {
      return new Attempt(Set.of(), e);
    }
  }

  /** The tool takes a file that is gone for one that is loaded. */
  private void requireOurs(
      Path directory, List<FileRange> files, List<FileRange> left, Set<Path> loaded)
      throws IOException {
    Set<Path> known = left.stream().map(FileRange::path).collect(Collectors.toSet());
    known.addAll(loaded);
    for (FileRange file : files) {
      if (!known.contains(file.path())) {
        String why = file.path() + " is gone, and it was not this load that took it";
        throw failed(directory, left, new IOException(why));
      }
    }
  }

  /** After a call without an answer files may be on their way: the region's next open decides. */
  private IOException failed(Path directory, List<FileRange> left, IOException failure) {
    String why = failure == null ? "the tool passed over them" : failure.getMessage();
    Throwable cause = failure == null ? null : failure.getCause();
    if (cause != null && cause.getMessage() != null) {
      why += ": " + cause.getMessage();
    }
    return new IOException(
        String.format(
            Locale.ROOT,
            "the load of %s into %s is not complete, %d files are left; load it again once the"
                + " cause is gone and all regions are open, which skips what is in the table: %s",
            directory,
            table,
            left.size(),
            why),
        failure);
  }

  private SpanCutter cutter(FileSystem fs) throws IOException {
    try (Table described = connection.getTable(table);
        RegionLocator locator = connection.getRegionLocator(table)) {
      locator.clearRegionLocationCache();
      return new SpanCutter(fs, described.getDescriptor(), conf, locator.getStartKeys());
    }
  }

  /** Sums over the rounds of a load. */
  private static final class Totals {
    private final Set<String> regions = new HashSet<>();
    private int files;
    private long bytes;
    private int cut;

    void add(List<FileRange> before, List<FileRange> after, SpanCutter cutter) {
      Set<Path> left = after.stream().map(FileRange::path).collect(Collectors.toSet());
      for (FileRange file : before) {
        if (!left.contains(file.path())) {
          files++;
          bytes += file.bytes();
          regions.add(Bytes.toStringBinary(cutter.startKey(file)));
        }
      }
    }

    LoadSummary summary(long millis) {
      return new LoadSummary(files, bytes, regions.size(), cut, millis);
    }
  }
}

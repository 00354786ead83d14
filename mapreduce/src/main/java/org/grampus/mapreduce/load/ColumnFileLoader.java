package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

  /**
   * Files of all families that one call takes into a region, as many as the servers allow. HBase's
   * 32 of each family would refuse what a large import has written, at its very end.
   */
  private static final int CALL_FILES_MAX = 1024;

  private final Connection connection;
  private final TableName table;
  private final Configuration conf;

  /** A loader for a table. */
  public ColumnFileLoader(Connection connection, TableName table) {
    this.connection = connection;
    this.table = table;
    this.conf = configuration(connection.getConfiguration());
  }

  /** That of the tool, whatever a site says of what must be so. */
  static Configuration configuration(Configuration site) {
    Configuration conf = new Configuration(site);
    // It would cut them as HFiles; here they are cut before.
    conf.setBoolean(BulkLoadHFilesTool.FAIL_IF_NEED_SPLIT_HFILE, true);
    conf.setBoolean(BulkLoadHFiles.ALWAYS_COPY_FILES, false);
    // It would call again for files that may be on their way into the table.
    conf.setBoolean(BulkLoadHFiles.RETRY_ON_IO_EXCEPTION, false);
    // Families of a region come together.
    conf.setBoolean(BulkLoadHFiles.BULK_LOAD_HFILES_BY_FAMILY, false);
    return conf;
  }

  /** That of the tool: the families of a call share the number of its files. */
  static Configuration configuration(Configuration ofLoad, int families) {
    Configuration conf = new Configuration(ofLoad);
    conf.setIfUnset(
        BulkLoadHFiles.MAX_FILES_PER_REGION_PER_FAMILY, String.valueOf(CALL_FILES_MAX / families));
    return conf;
  }

  /**
   * Loads a directory with one directory per family. The files are moved into the table.
   *
   * @throws IOException when files cannot be loaded, or it is not known that they are. What is not
   *     in the table is in the directory once its regions are open, so that the call can be
   *     repeated. A repeated call that cannot know whether all files are in the table says so: see
   *     {@link LoadMark}. Also when another loader has files of the directory: what becomes of them
   *     is not known here
   */
  public LoadSummary load(Path directory) throws IOException {
    long start = Time.monotonicNow();
    FileSystem fs = directory.getFileSystem(conf);
    List<FileRange> files = FileRange.below(fs, directory, conf);
    LoadMark mark = LoadMark.of(fs, directory, files);
    if (files.isEmpty()) {
      return new Totals().summary(Time.monotonicNow() - start);
    }
    FamilyDirectories.open(fs, files);
    return load(fs, directory, files, mark, start);
  }

  private LoadSummary load(
      FileSystem fs, Path directory, List<FileRange> found, LoadMark mark, long start)
      throws IOException {
    int rounds = conf.getInt(HConstants.BULKLOAD_MAX_RETRIES_NUMBER, ROUNDS);
    Totals totals = new Totals();
    List<FileRange> left = found;
    for (int round = 1; ; round++) {
      SpanCutter cutter = cutter(fs);
      List<FileRange> whole = cut(fs, cutter, left, totals, mark);
      List<FileRange> files = withPieces(whole, FileRange.below(fs, directory, conf));
      mark.keep(files);
      Attempt attempt = attempt(directory, files);
      IOException failure = attempt.failure();
      left = FileRange.below(fs, directory, conf);
      List<Path> unknown = unknown(files, left, attempt.loaded());
      mark.know(attempt.loaded());
      mark.release();
      if (failure != null && !asksForACut(failure)) {
        throw failed(directory, left, unknown, failure);
      }
      if (!unknown.isEmpty()) {
        String why = unknown.get(0) + " is gone, and it was not this load that took it";
        throw failed(directory, left, unknown, new IOException(why));
      }
      totals.add(files, left, cutter);
      if (left.isEmpty()) {
        return totals.summary(Time.monotonicNow() - start);
      }
      if (failure == null || round >= rounds) {
        throw failed(directory, left, unknown, failure);
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

  /** Cuts the files that have rows of several regions; returns the others. */
  private static List<FileRange> cut(
      FileSystem fs, SpanCutter cutter, List<FileRange> files, Totals totals, LoadMark mark)
      throws IOException {
    List<FileRange> whole = new ArrayList<>();
    for (FileRange file : files) {
      if (cutter.fits(file) || !cut(fs, cutter, file)) {
        whole.add(file);
      } else {
        totals.cut++;
        mark.know(List.of(file.path()));
      }
    }
    return whole;
  }

  /** Cuts a file, unless another loader takes it meanwhile. */
  private static boolean cut(FileSystem fs, SpanCutter cutter, FileRange file) throws IOException {
    try {
      int pieces = cutter.cut(file);
      LOG.info("{} had rows of several regions and was cut into {} files", file.path(), pieces);
      return true;
    } catch (IOException e) {
      if (fs.exists(file.path())) {
        throw e;
      }
      LOG.warn("{} is gone, and cannot be cut", file.path(), e);
      return false;
    }
  }

  /**
   * What is to be loaded.
   *
   * @param whole files that were there before the cuts: one that another loader has taken since is
   *     not forgotten
   * @param found after the cuts
   */
  private static List<FileRange> withPieces(List<FileRange> whole, List<FileRange> found) {
    Map<Path, FileRange> files = new LinkedHashMap<>();
    Stream.concat(whole.stream(), found.stream()).forEach(file -> files.put(file.path(), file));
    return List.copyOf(files.values());
  }

  /**
   * One run of the tool.
   *
   * @param loaded the files that it has put into the table
   * @param failure what went wrong, or null
   */
  private record Attempt(Set<Path> loaded, IOException failure) {}

  private Attempt attempt(Path directory, List<FileRange> files) {
    long families = files.stream().map(FileRange::family).distinct().count();
    LoadTool tool = new LoadTool(configuration(conf, (int) Math.max(families, 1)));
    try {
      tool.bulkLoad(table, directory);
      return new Attempt(tool.loaded(), null);
    } catch (IOException e) {
      return new Attempt(tool.loaded(), e);
    }
  }

  /**
   * The files of which it is not known where they are: the tool takes one that is gone for one that
   * is loaded.
   */
  private static List<Path> unknown(List<FileRange> files, List<FileRange> left, Set<Path> loaded) {
    Set<Path> known = left.stream().map(FileRange::path).collect(Collectors.toSet());
    known.addAll(loaded);
    return files.stream().map(FileRange::path).filter(path -> !known.contains(path)).toList();
  }

  /** After a call without an answer files may be on their way: the region's next open decides. */
  private IOException failed(
      Path directory, List<FileRange> left, List<Path> unknown, IOException failure) {
    String why = failure == null ? "the tool passed over them" : failure.getMessage();
    Throwable cause = failure == null ? null : failure.getCause();
    if (cause != null && cause.getMessage() != null) {
      why += ": " + cause.getMessage();
    }
    return new IOException(
        String.format(
            Locale.ROOT,
            "the load of %s into %s is not complete, %d files are left, and of %d it is not known"
                + " whether they are in the table; load it again once the cause is gone and all"
                + " regions are open, which skips what is in the table: %s",
            directory,
            table,
            left.size(),
            unknown.size(),
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

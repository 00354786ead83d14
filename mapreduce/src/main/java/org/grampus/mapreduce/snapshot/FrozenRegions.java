package org.grampus.mapreduce.snapshot;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.filter.pattern.HBasePatterns;
import org.grampus.compat.filter.pattern.MatchLimits;
import org.grampus.compat.filter.pattern.SearchTime;
import org.grampus.compat.table.FamilyAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.FrozenReads;
import org.grampus.engine.FrozenRegionRequest;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.RegionDescription.RowOrder;
import org.grampus.mapreduce.keys.JobKeys;

/** Opens regions of a snapshot's table from their files. Any thread. */
public final class FrozenRegions {
  private static final long CACHE_BYTES = 64L << 20;
  private static final long READ_AHEAD_BYTES = 32L << 20;
  private static final String ROW_BYTES_KEY = "hbase.table.max.rowsize";
  private static final long ROW_BYTES = 1L << 30;

  private final Configuration conf;
  private final TableDescriptor table;
  private final Path root;
  private final FileSystem fs;
  private final HBasePatterns patterns;
  private final boolean local;
  private final LongAdder fetchedBytes = new LongAdder();
  private final AtomicReference<FrozenReads> closed = new AtomicReference<>(FrozenReads.NONE);

  /** Regions of a table below the root directory that the configuration names. */
  public FrozenRegions(Configuration conf, TableDescriptor table) throws IOException {
    this.conf = conf;
    this.table = table;
    this.root = CommonFSUtils.getRootDir(conf);
    this.fs = root.getFileSystem(conf);
    this.local = "file".equals(fs.getUri().getScheme());
    this.patterns =
        new HBasePatterns(
            MatchLimits.of(conf, SearchTime::new, () -> Thread.currentThread().isInterrupted()));
  }

  /**
   * Opens a region.
   *
   * @throws IOException when a file is missing, cannot be read, or is not of Grampus
   */
  public NativeFrozenRegion open(SnapshotRegion region) throws IOException {
    RegionInfo info = region.info();
    FrozenRegionRequest request =
        new FrozenRegionRequest(
            new FrozenRegionRequest.Region(
                info.getTable().getNameAsString(),
                info.getEncodedName(),
                local ? root.toUri().getPath() : root.toString(),
                info.getStartKey(),
                info.getEndKey(),
                info.isMetaRegion() ? RowOrder.META : RowOrder.BYTES,
                FamilyAdapter.families(table, conf)),
            region.files(),
            conf.getLongBytes(ROW_BYTES_KEY, ROW_BYTES),
            conf.getLongBytes(JobKeys.SNAPSHOT_CACHE_BYTES, CACHE_BYTES));
    HadoopFiles files = local ? null : hadoopFiles(region);
    try {
      return NativeFrozenRegion.open(request, files, patterns);
    } catch (EngineException e) {
      String denied = files == null || files.denied().isEmpty() ? "" : "; " + files.denied();
      throw ErrorAdapter.adapt("cannot open " + info.getRegionNameAsString() + denied, e);
    }
  }

  private HadoopFiles hadoopFiles(SnapshotRegion region) {
    long bytes = conf.getLongBytes(JobKeys.SNAPSHOT_READ_AHEAD, READ_AHEAD_BYTES);
    return new HadoopFiles(fs, bytes / Math.max(1, region.fileCount()), fetchedBytes);
  }

  /** Closes a region that was opened here, and counts what was read of it. */
  public void close(NativeFrozenRegion region) {
    try (region) {
      FrozenReads last = region.reads();
      closed.updateAndGet(last::plus);
    }
  }

  /** What was read of all regions that were closed here. */
  public FrozenReads reads() {
    return closed.get();
  }

  /**
   * Bytes that were read of files: of local ones the pages of the regions that were closed here, of
   * others all that was fetched so far, what was read ahead included.
   */
  public long readBytes() {
    return local ? reads().readBytes() : fetchedBytes.sum();
  }
}

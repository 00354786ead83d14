package org.grampus.mapreduce.input;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.BlockHosts;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.OwnSnapshot;
import org.grampus.mapreduce.snapshot.Snapshot;
import org.grampus.mapreduce.snapshot.SnapshotRegion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The splits of a job over a snapshot, for both APIs. */
public final class SnapshotSplits {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotSplits.class);

  /** Changes what a job reads by what its snapshot has. */
  @FunctionalInterface
  public interface Preparation {
    /** Is called with the job's configuration before anything is planned. */
    void prepare(Configuration job, Snapshot snapshot) throws IOException;
  }

  private SnapshotSplits() {}

  /** Lets a job read a snapshot, whatever its configuration has been used for before. */
  public static void setSnapshot(Configuration job, String name) {
    job.unset(JobKeys.SNAPSHOT_TABLE);
    job.set(HBaseKeys.SNAPSHOT_NAME, name);
  }

  /**
   * Lets a job read a snapshot of its own, whatever its configuration has been used for before. The
   * snapshot is taken when the job is submitted.
   */
  public static void setTable(Configuration job, TableName table) {
    job.unset(HBaseKeys.SNAPSHOT_NAME);
    job.set(JobKeys.SNAPSHOT_TABLE, table.getNameAsString());
  }

  /**
   * Plans a job over the snapshot that it names, or over one of the table that it names.
   *
   * @param conf the job's, which is told the effective settings and the snapshot
   */
  public static List<SnapshotSplit> plan(Configuration conf) throws IOException {
    return plan(conf, ReaderKind.SNAPSHOT, (job, snapshot) -> {});
  }

  /**
   * The same for a job that is to be prepared once its snapshot is there.
   *
   * @param conf the job's, which is told the effective settings and the snapshot
   * @param reader of the splits
   */
  public static List<SnapshotSplit> plan(
      Configuration conf, ReaderKind reader, Preparation preparation) throws IOException {
    String named = conf.get(HBaseKeys.SNAPSHOT_NAME);
    String table = conf.get(JobKeys.SNAPSHOT_TABLE);
    if (named == null && table == null) {
      throw new IOException(
          "the job names no snapshot; set "
              + HBaseKeys.SNAPSHOT_NAME
              + ", or "
              + JobKeys.SNAPSHOT_TABLE
              + " for its own");
    }
    return table == null
        ? plan(conf, named, reader, preparation)
        : planOwn(conf, TableName.valueOf(table), reader, preparation);
  }

  private static List<SnapshotSplit> planOwn(
      Configuration conf, TableName table, ReaderKind reader, Preparation preparation)
      throws IOException {
    String named = conf.get(HBaseKeys.SNAPSHOT_NAME);
    // A job that was planned before names the snapshot that it took then.
    if (named != null && !named.equals(conf.get(JobKeys.SNAPSHOT_OWN))) {
      throw new IOException(
          "the job names snapshot "
              + named
              + " and, for a snapshot of its own, table "
              + table
              + "; unset "
              + HBaseKeys.SNAPSHOT_NAME
              + " or "
              + JobKeys.SNAPSHOT_TABLE);
    }
    ScanSettings.requireValid(conf, reader); // before a snapshot is taken
    String job = jobId(conf);
    if (OwnSnapshot.name(table, job).equals(named)) {
      return plan(conf, named, reader, preparation);
    }
    OwnSnapshot own = OwnSnapshot.take(conf, table, job);
    try {
      List<SnapshotSplit> splits = plan(conf, own.name(), reader, preparation);
      conf.set(HBaseKeys.SNAPSHOT_NAME, own.name());
      conf.set(JobKeys.SNAPSHOT_OWN, own.name());
      own.handOver(conf);
      return splits;
    } catch (IOException | RuntimeException e) {
      try (own) {
        throw e;
      }
    }
  }

  /** A job that is being submitted has a directory with its id as name, in both APIs. */
  private static String jobId(Configuration conf) throws IOException {
    String directory = conf.get(MRJobConfig.MAPREDUCE_JOB_DIR);
    if (directory == null) {
      throw new IOException(
          "there is no job id to name a snapshot by; take one with OwnSnapshot and set "
              + HBaseKeys.SNAPSHOT_NAME);
    }
    return new Path(directory).getName();
  }

  private static List<SnapshotSplit> plan(
      Configuration conf, String name, ReaderKind reader, Preparation preparation)
      throws IOException {
    Snapshot snapshot = Snapshot.open(conf, name);
    preparation.prepare(conf, snapshot);
    ScanSettings settings = ScanSettings.of(conf, reader);
    settings.log(LOG);
    settings.record(conf);
    KeyRange range = KeyRange.ofScan(settings.scan());
    List<SnapshotRegion> regions = snapshot.regions();
    List<List<String>> hosts = hosts(conf, regions, range);
    SplitGoal goal = SplitSettings.ofSnapshot(conf, distinct(hosts).size());
    PieceSource pieces = new FrozenPieces(new FrozenRegions(conf, snapshot.table()), regions);
    List<RegionPieces> sourced = CutRegions.of(known(regions), range, goal, pieces);
    long now = Time.now();
    List<SnapshotSplit> splits = new ArrayList<>();
    for (PlannedSplit planned : SplitPlan.of(sourced, range, goal)) {
      List<String> near = hosts.get(planned.mainRegion());
      splits.add(new SnapshotSplit(snapshot.table(), now, planned, regions, near));
    }
    LOG.info("{} splits of snapshot {}, {}", splits.size(), name, goal);
    return splits;
  }

  private static List<RegionPieces> known(List<SnapshotRegion> regions) {
    return regions.stream()
        .map(region -> new RegionPieces(range(region), region.bytes(), region.isEmpty(), List.of()))
        .toList();
  }

  private static KeyRange range(SnapshotRegion region) {
    return KeyRange.of(region.info().getStartKey(), region.info().getEndKey());
  }

  private static List<List<String>> hosts(
      Configuration conf, List<SnapshotRegion> regions, KeyRange scan) throws IOException {
    BlockHosts places = new BlockHosts(conf);
    return WaitingCalls.all(
        regions.size(),
        index -> {
          SnapshotRegion region = regions.get(index);
          return range(region).intersect(scan).isEmpty() ? List.of() : places.hosts(region);
        });
  }

  private static Set<String> distinct(List<List<String>> hosts) {
    Set<String> distinct = new LinkedHashSet<>();
    hosts.forEach(distinct::addAll);
    return distinct;
  }
}

package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotReferenceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.Violations;

/** Compares snapshots with what their table's writers know. Any thread. */
final class SnapshotJudge {
  private final Configuration conf;
  private final LoopTable schema;
  private final boolean wholeEdits;
  private final Violations violations;

  /**
   * What each writer had seen acknowledged before the snapshot was asked for, and had sent when it
   * was complete.
   */
  record Bounds(List<Ledger.Mark> acknowledged, List<Ledger.Mark> sent) {}

  /**
   * A judge of one table's snapshots. HBase does not promise whole edits over several families,
   * which it flushes one after the other.
   */
  SnapshotJudge(Configuration conf, LoopTable schema, boolean wholeEdits, Violations violations) {
    this.conf = conf;
    this.schema = schema;
    this.wholeEdits = wholeEdits;
    this.violations = violations;
  }

  /**
   * The manifest has regions for all keys, with every family, and each of its files is there with
   * its size.
   */
  void checkFiles(String snapshot, Path root) throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    Path dir = SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
    SnapshotDescription description = SnapshotDescriptionUtils.readSnapshotInfo(fs, dir);
    SnapshotManifest manifest = SnapshotManifest.open(conf, fs, dir, description);
    List<SnapshotRegionManifest> regions = manifest.getRegionManifests();
    checkKeys(snapshot, regions);
    for (SnapshotRegionManifest region : regions) {
      if (region.getFamilyFilesCount() != schema.families()) {
        violations.add(snapshot + " has a region of " + region.getFamilyFilesCount() + " families");
      }
    }
    try {
      SnapshotReferenceUtil.verifySnapshot(conf, fs, manifest);
    } catch (IOException e) {
      violations.add(snapshot + " has a file that is not there: " + e);
    }
  }

  /** Regions that were split may be there beside their daughters. */
  private void checkKeys(String snapshot, List<SnapshotRegionManifest> manifests) {
    List<RegionInfo> regions =
        manifests.stream()
            .map(manifest -> ProtobufUtil.toRegionInfo(manifest.getRegionInfo()))
            .sorted((a, b) -> Bytes.compareTo(a.getStartKey(), b.getStartKey()))
            .toList();
    byte[] covered = HConstants.EMPTY_START_ROW;
    boolean toTheEnd = false;
    for (RegionInfo region : regions) {
      if (toTheEnd || Bytes.compareTo(region.getStartKey(), covered) > 0) {
        break;
      }
      toTheEnd = region.getEndKey().length == 0;
      covered = Bytes.compareTo(region.getEndKey(), covered) > 0 ? region.getEndKey() : covered;
    }
    if (!toTheEnd) {
      violations.add(snapshot + " has no region for keys from " + Bytes.toStringBinary(covered));
    }
  }

  /**
   * A clone has everything that was acknowledged before, nothing that was sent after, and no row by
   * halves.
   */
  void checkContent(Connection connection, String snapshot, Bounds bounds) throws IOException {
    TableName clone = TableName.valueOf(snapshot + "Clone");
    try (Admin admin = connection.getAdmin()) {
      admin.cloneSnapshot(snapshot, clone);
      try (Table table = connection.getTable(clone)) {
        for (int writer = 0; writer < bounds.sent().size(); writer++) {
          checkRows(table, snapshot, writer, bounds);
        }
      } finally {
        admin.disableTable(clone);
        admin.deleteTable(clone);
      }
    }
  }

  private void checkRows(Table table, String snapshot, int writer, Bounds bounds)
      throws IOException {
    Ledger.Mark from = bounds.acknowledged().get(writer);
    Ledger.Mark to = bounds.sent().get(writer);
    for (int row = 0; row < to.rows(); row++) {
      Result result = table.get(new Get(schema.key(writer, row)));
      long number = schema.number(result, 0);
      if (number < from.of(row) || number > to.of(row)) {
        violations.add(
            String.format(
                "%s has %d in row %d of writer %d, not one of %d to %d",
                snapshot, number, row, writer, from.of(row), to.of(row)));
      }
      for (int family = 1; wholeEdits && family < schema.families(); family++) {
        if (schema.number(result, family) != number) {
          violations.add(
              String.format(
                  "%s has half of an edit: row %d of writer %d has %d in family 0 and %d in %d",
                  snapshot, row, writer, number, schema.number(result, family), family));
        }
      }
    }
  }
}

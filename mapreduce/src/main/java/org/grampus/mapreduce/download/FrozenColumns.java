package org.grampus.mapreduce.download;

import java.io.IOException;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.ScanInfo;
import org.grampus.mapreduce.input.KeyProgress;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.grampus.mapreduce.input.SplitScan;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.FrozenScans;

/** Columns of a snapshot's files, from which the engine makes a file: no cell comes to Java. */
final class FrozenColumns {
  private final Configuration conf;
  private final SnapshotSplit split;
  private final PartProgress progress;
  private final Scan scan;
  private final KeyProgress position;
  private final ScanInfo info = new ScanInfo();
  private float share;
  private long rows;

  FrozenColumns(Configuration conf, SnapshotSplit split, PartProgress progress) throws IOException {
    this.conf = conf;
    this.split = split;
    this.progress = progress;
    this.scan = ScanSettings.of(conf, ReaderKind.SNAPSHOT).scan();
    this.position = new KeyProgress(split.range(), split.pieces(), false);
  }

  /**
   * Writes all rows of the split.
   *
   * @param written bytes of the file so far
   */
  void write(ColumnsPartFile file, LongSupplier written) throws IOException {
    FrozenRegions regions = new FrozenRegions(conf, split.table());
    for (SnapshotSplit.RegionRows part : split.parts()) {
      write(regions, part, file, written);
      if (info.filterAllRemaining() && info.completeRows() == 0) {
        break; // as a scan through servers ends
      }
    }
  }

  private void write(
      FrozenRegions regions,
      SnapshotSplit.RegionRows part,
      ColumnsPartFile file,
      LongSupplier written)
      throws IOException {
    try (NativeFrozenRegion region = regions.open(part.region())) {
      Scan ofPart = SplitScan.of(scan, part.range());
      file.begin(FrozenScans.begin(region, split.table(), ofPart, split.nowMillis()));
      while (file.advance(info)) {
        tell(written);
      }
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot write rows of " + split, e);
    }
    tell(written);
    rows += info.completeRows();
  }

  private void tell(LongSupplier written) {
    byte[] row = info.lastRow();
    share = row.length > 0 ? position.at(row) : share;
    progress.update(rows + info.completeRows(), written.getAsLong(), share);
  }
}

package org.grampus.mapreduce.columns;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.util.Time;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.engine.NativeFrozenScan;
import org.grampus.engine.RowFeed;
import org.grampus.engine.ScanCounts;
import org.grampus.engine.ScanInfo;
import org.grampus.mapreduce.input.KeyProgress;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.input.SnapshotSplit;
import org.grampus.mapreduce.input.SplitScan;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.FrozenScans;

/**
 * Columns of a split of a snapshot, which the engine makes of its files region by region: no cell
 * comes to Java. One thread.
 */
public final class FrozenColumns implements BatchSource {
  private final SnapshotSplit split;
  private final RowFeed feed;
  private final FrozenRegions regions;
  private final Scan scan;
  private final KeyProgress position;
  private final Iterator<SnapshotSplit.RegionRows> parts;
  private final ReadCounters counters;
  private final ScanInfo info = new ScanInfo();

  /** Whose scan was begun last and is not at its end; null when there is none. */
  private NativeFrozenRegion open;

  /** What the scan of that region has looked at so far. */
  private ScanCounts looked = ScanCounts.NONE;

  private boolean closed;
  private float share;
  private long rowsBefore;

  /**
   * Columns that are not read yet.
   *
   * @param conf the job's, with its scan
   * @param feed takes them, and is its owner's to close
   * @param counters of what is read, which are complete once this is closed
   */
  public FrozenColumns(Configuration conf, SnapshotSplit split, RowFeed feed, ReadCounters counters)
      throws IOException {
    this.split = split;
    this.feed = feed;
    this.counters = counters;
    this.regions = new FrozenRegions(conf, split.table());
    this.scan = ScanSettings.of(conf, ReaderKind.SNAPSHOT).scan();
    this.position = new KeyProgress(split.range(), split.pieces(), false);
    this.parts = split.parts().iterator();
  }

  /**
   * Lets the feed take rows, for about a second.
   *
   * @return false when it has all of the split
   * @throws IOException when a file cannot be read, or the feed fails
   */
  @Override
  public boolean advance() throws IOException {
    if (open == null && !openNext()) {
      return false;
    }
    try {
      boolean more = take();
      looked = info.counts();
      byte[] row = info.lastRow();
      share = row.length > 0 ? position.at(row) : share;
      return more || endRegion();
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot take rows of " + split, e);
    }
  }

  private boolean take() throws IOException {
    long begun = Time.monotonicNowNanos();
    try {
      return feed.advance(info);
    } finally {
      counters.inEngine(Time.monotonicNowNanos() - begun);
    }
  }

  private boolean openNext() throws IOException {
    if (!parts.hasNext()) {
      return false;
    }
    SnapshotSplit.RegionRows part = parts.next();
    open = regions.open(part.region());
    Scan ofPart = SplitScan.of(scan, part.range());
    try (NativeFrozenScan begun =
        FrozenScans.begin(open, split.table(), ofPart, split.nowMillis())) {
      feed.begin(begun); // whose it is from then on
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot begin rows of " + split, e);
    }
    counters.hbase("REGIONS_SCANNED", 1);
    return true;
  }

  /** False when the scan ends with this region, as one through servers does. */
  private boolean endRegion() {
    closeRegion();
    rowsBefore += info.completeRows();
    return !info.filterAllRemaining() || info.completeRows() > 0;
  }

  /** Rows that the feed has so far. */
  public long rows() {
    return open == null ? rowsBefore : rowsBefore + info.completeRows();
  }

  @Override
  public float share() {
    return share;
  }

  /** Lets go of the files; the feed keeps those that it reads. */
  @Override
  public void close() {
    closeRegion();
    if (!closed) {
      closed = true;
      counters.bytes(split.getLength(), regions.readBytes());
      counters.pages(regions.reads());
    }
  }

  private void closeRegion() {
    if (open != null) {
      counters.looked(looked);
      looked = ScanCounts.NONE;
      regions.close(open);
      open = null;
    }
  }
}

package org.grampus.mapreduce.input;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.util.Progressable;
import org.grampus.engine.NativeFrozenRegion;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.grampus.mapreduce.snapshot.FrozenRegions;
import org.grampus.mapreduce.snapshot.FrozenResults;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The results of a split of a snapshot, region by region, for both APIs. One thread. */
public final class SnapshotRows implements SplitRows {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotRows.class);

  private static final int BUFFER_BYTES = 4 << 20;
  private final SnapshotSplit split;
  private final Scan scan;
  private final FrozenRegions regions;
  private final ReadCounters counters;
  private final Progressable progress;
  private final KeyProgress position;
  private final int limit;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
  private NativeFrozenRegion region;
  private FrozenResults open;
  private int nextPart;
  private long returned;
  private Result current;
  private boolean ended;
  private boolean closed;

  /** Rows of a split, as a job's configuration wants them. */
  public SnapshotRows(
      SnapshotSplit split,
      Configuration conf,
      ReadCounters.Counting counting,
      Progressable progress)
      throws IOException {
    ScanSettings settings = ScanSettings.of(conf, ReaderKind.SNAPSHOT);
    settings.log(LOG);
    LOG.info("reading {}", split);
    this.split = split;
    this.scan = settings.scan();
    this.regions = new FrozenRegions(conf, split.table());
    this.counters = new ReadCounters(counting);
    this.counters.settings(settings.effective());
    this.progress = progress;
    this.position = new KeyProgress(split.range(), split.pieces(), scan.isReversed());
    this.limit = conf.getInt(HBaseKeys.ROW_LIMIT, 0);
  }

  @Override
  public Result next() throws IOException {
    current = limit > 0 && returned == limit ? null : read();
    if (current == null) {
      ended = true;
      return null;
    }
    returned++;
    counters.result(current);
    return current;
  }

  private Result read() throws IOException {
    while (true) {
      if (open == null && !openNext()) {
        return null;
      }
      Result result = open.next();
      if (result != null) {
        return result;
      }
      if (open.endsScan()) {
        nextPart = split.parts().size();
      }
      closeRegion();
    }
  }

  private boolean openNext() throws IOException {
    int count = split.parts().size();
    if (nextPart == count) {
      return false;
    }
    SnapshotSplit.RegionRows part =
        split.parts().get(scan.isReversed() ? count - 1 - nextPart : nextPart);
    nextPart++;
    region = regions.open(part.region());
    Scan ofPart = SplitScan.of(scan, part.range());
    open = FrozenResults.open(region, split.table(), ofPart, split.nowMillis(), buffer, progress);
    counters.hbase("REGIONS_SCANNED", 1);
    return true;
  }

  private void closeRegion() {
    if (open != null) {
      counters.looked(open.counts());
      counters.hbase("BYTES_IN_RESULTS", open.bytes());
      counters.inEngine(open.engineNanos());
      buffer = open.buffer();
      open.close();
      open = null;
    }
    if (region != null) {
      regions.close(region);
      region = null;
    }
  }

  @Override
  public byte[] row() {
    return current.getRow();
  }

  @Override
  public float progress() {
    if (ended) {
      return 1;
    }
    return current == null ? 0 : position.after(current.getRow());
  }

  @Override
  public void close() {
    closeRegion();
    if (!closed) {
      closed = true;
      counters.bytes(split.getLength(), regions.readBytes());
      counters.pages(regions.reads());
    }
    counters.report();
  }
}

package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes and compacts the table's regions by chance until told to stop; now and then one of them
 * moves, is split or merged, or its flushes fail for a while. One thread.
 */
final class Churn implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Churn.class);
  private static final int PAUSE_MILLIS = 30;
  private static final int ROUNDS_PER_CHANGE = 8;
  private static final long CHANGE_MINUTES = 2;

  /** In this order, so that a short run has moves and splits, which it must have. */
  private enum Change {
    MOVE,
    SPLIT,
    FAILING_FLUSH,
    MERGE
  }

  private final Admin admin;
  private final LoopTable table;
  private final BlockedFlushes flushes;
  private final Random random;
  private final AtomicBoolean stop;
  private final AtomicLong moves = new AtomicLong();
  private final AtomicLong splits = new AtomicLong();
  private final AtomicLong merges = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong begun = new AtomicLong();
  private final AtomicLong ended = new AtomicLong();

  /**
   * Of a table.
   *
   * @param flushes which lets them fail, or null where they do not
   */
  Churn(Admin admin, LoopTable table, BlockedFlushes flushes, Random random, AtomicBoolean stop) {
    this.admin = admin;
    this.table = table;
    this.flushes = flushes;
    this.random = random;
    this.stop = stop;
  }

  @Override
  public void run() {
    try (admin) {
      for (int round = 1; !stop.get(); round++) {
        disturb(round);
        Thread.sleep(random.nextInt(PAUSE_MILLIS));
      }
    } catch (IOException e) {
      LOG.warn("cannot close", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void disturb(int round) throws InterruptedException {
    try {
      List<RegionInfo> regions = admin.getRegions(table.name());
      for (RegionInfo region : regions) {
        work(region);
      }
      if (round % ROUNDS_PER_CHANGE == 0) {
        Change[] all = Change.values();
        change(all[(round / ROUNDS_PER_CHANGE - 1) % all.length], regions);
      }
    } catch (IOException e) {
      if (isRefusal(e)) {
        refused.incrementAndGet();
        LOG.debug("refused", e);
      } else {
        failed.incrementAndGet();
        LOG.warn("a request failed", e);
      }
    }
  }

  /** Whether a region was not there, or the servers do not want it: one with references is kept. */
  private static boolean isRefusal(IOException error) {
    return Stream.<Throwable>iterate(error, Objects::nonNull, Throwable::getCause)
        .anyMatch(
            e -> e instanceof NotServingRegionException || e instanceof DoNotRetryIOException);
  }

  private void work(RegionInfo region) throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> admin.majorCompactRegion(region.getRegionName());
      case 1 -> admin.compactRegion(region.getRegionName());
      default -> admin.flushRegion(region.getRegionName());
    }
  }

  private void change(Change change, List<RegionInfo> regions)
      throws IOException, InterruptedException {
    begun.incrementAndGet();
    try {
      int place = random.nextInt(regions.size());
      RegionInfo region = regions.get(place);
      switch (change) {
        case MOVE -> move(region);
        case SPLIT -> split(region);
        case FAILING_FLUSH -> letFlushesFail(region);
        case MERGE -> merge(regions, Math.min(place, regions.size() - 2));
      }
    } finally {
      ended.incrementAndGet();
    }
  }

  /** There and back: a master moves nothing where there is one server. */
  private void move(RegionInfo region) throws IOException {
    try {
      admin.unassign(region.getRegionName());
    } finally {
      admin.assign(region.getRegionName());
    }
    moves.incrementAndGet();
  }

  /** Up to twice as many as there were. */
  private void split(RegionInfo region) throws IOException, InterruptedException {
    if (admin.getRegions(table.name()).size() < 2 * table.regions()) {
      byte[] key = table.key(0, random.nextInt(LoopTable.ROWS));
      boolean inside = region.containsRow(key) && !Bytes.equals(region.getStartKey(), key);
      await(admin.splitRegionAsync(region.getRegionName(), inside ? key : null));
      splits.incrementAndGet();
    }
  }

  private void letFlushesFail(RegionInfo region) throws IOException, InterruptedException {
    if (flushes != null) {
      flushes.blockForAboutASecond(region);
    }
  }

  /** Two neighbours, while there are more than there were at first. */
  private void merge(List<RegionInfo> regions, int place) throws IOException, InterruptedException {
    if (regions.size() > table.regions()) {
      byte[] first = regions.get(place).getRegionName();
      byte[] second = regions.get(place + 1).getRegionName();
      await(admin.mergeRegionsAsync(new byte[][] {first, second}, false));
      merges.incrementAndGet();
    }
  }

  private static void await(Future<Void> change) throws IOException, InterruptedException {
    try {
      change.get(CHANGE_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e);
    }
  }

  /** Moves of regions that were done. */
  long moves() {
    return moves.get();
  }

  /** Splits that were done. */
  long splits() {
    return splits.get();
  }

  /** Merges that were done. */
  long merges() {
    return merges.get();
  }

  /** Requests that were refused, such as of a region that has just been split. */
  long refused() {
    return refused.get();
  }

  /** Requests that failed otherwise: without an answer in time, or a region that did not open. */
  long failed() {
    return failed.get();
  }

  /** Changes that had begun, to be asked after what they may have hit. */
  long begun() {
    return begun.get();
  }

  /** Changes that had ended, to be asked before it. */
  long ended() {
    return ended.get();
  }
}

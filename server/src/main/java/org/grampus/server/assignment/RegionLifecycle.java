package org.grampus.server.assignment;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.WeakObjectPool;
import org.grampus.server.cluster.FatalHandler;
import org.grampus.server.cluster.TransitionReporter;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionOpener;
import org.grampus.server.region.RegionRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens and closes regions as the master orders. Orders for one region run one after another; an
 * order is answered exactly once, and a refused report ends the server, because the master may have
 * given the region to another server.
 */
public final class RegionLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(RegionLifecycle.class);

  private final RegionOpener opener;
  private final RegionRegistry registry;
  private final TransitionReporter reporter;
  private final FatalHandler fatal;
  private final Consumer<OnlineRegion> onOffline;
  private final WeakObjectPool<String, ReentrantLock> locks =
      new WeakObjectPool<>(encodedName -> new ReentrantLock(true));

  /**
   * The parts that an open or a close needs; {@code onOffline} ends what still uses a region that
   * has gone offline.
   */
  public RegionLifecycle(
      RegionOpener opener,
      RegionRegistry registry,
      TransitionReporter reporter,
      FatalHandler fatal,
      Consumer<OnlineRegion> onOffline) {
    this.opener = opener;
    this.registry = registry;
    this.reporter = reporter;
    this.fatal = fatal;
    this.onOffline = onOffline;
  }

  /**
   * Opens a region and reports it. A region that is open here already is reported again: the first
   * report may have been lost.
   */
  public void open(RegionInfo region, Origin origin) throws InterruptedException {
    ReentrantLock lock = lock(region.getEncodedName());
    lock.lockInterruptibly();
    try {
      OnlineRegion online = registry.find(region.getEncodedName());
      if (online == null) {
        openAndReport(region, origin);
      } else {
        requireAccepted(reporter.opened(region, online.openSeqNum(), origin), "OPENED", region);
      }
    } finally {
      lock.unlock();
    }
  }

  private void openAndReport(RegionInfo region, Origin origin) throws InterruptedException {
    registry.opening(region.getEncodedName());
    OnlineRegion opened;
    try {
      opened = opener.open(region);
    } catch (IOException | RuntimeException e) {
      LOG.error("cannot open region {}", region.getRegionNameAsString(), e);
      registry.remove(region.getEncodedName());
      requireAccepted(reporter.failedOpen(region, origin), "FAILED_OPEN", region);
      return;
    }
    if (!isReported(opened, origin)) {
      opened.engine().close(true);
      requireAccepted(false, "OPENED", region);
      return;
    }
    registry.add(opened);
    LOG.info("opened {} at sequence {}", region.getRegionNameAsString(), opened.openSeqNum());
  }

  /** Whether the master took an open. A stop that ends the report closes the region as others. */
  private boolean isReported(OnlineRegion opened, Origin origin) throws InterruptedException {
    try {
      return reporter.opened(opened.info(), opened.openSeqNum(), origin);
    } catch (InterruptedException e) {
      registry.add(opened);
      throw e;
    }
  }

  /**
   * Closes a region and reports it; {@code destination} is where it goes, or null. A region that is
   * not here is reported as closed.
   */
  public void close(RegionInfo region, ServerName destination, Origin origin)
      throws InterruptedException {
    ReentrantLock lock = lock(region.getEncodedName());
    lock.lockInterruptibly();
    try {
      if (closeNative(region, destination)) {
        requireAccepted(reporter.closed(region, origin), "CLOSED", region);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The region if it is online here, or null. The master may order something of a region as soon as
   * it was told of the open, which is a moment before the region is online: an open that runs is
   * waited for.
   */
  OnlineRegion online(String encodedName) throws InterruptedException {
    if (registry.isOpening(encodedName)) {
      ReentrantLock lock = lock(encodedName);
      lock.lockInterruptibly();
      lock.unlock();
    }
    return registry.find(encodedName);
  }

  /**
   * Closes a region that the master does not place here; nothing is reported. One that has been
   * closed meanwhile and opened again stays: that is another order of the master.
   */
  void closeUnreported(OnlineRegion region) throws InterruptedException {
    ReentrantLock lock = lock(region.encodedName());
    lock.lockInterruptibly();
    try {
      if (registry.isOnline(region)) {
        closeNative(region.info(), null);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean closeNative(RegionInfo region, ServerName destination) {
    OnlineRegion online = registry.remove(region.getEncodedName());
    if (online == null) {
      return true;
    }
    if (destination != null) {
      registry.moved(region.getEncodedName(), destination, online.openSeqNum());
    }
    onOffline.accept(online);
    try {
      online.engine().close(false);
      LOG.info("closed {}", region.getRegionNameAsString());
      return true;
    } catch (RuntimeException e) {
      // There is no report of a failed close: the write-ahead log has what was not flushed, and the
      // next owner replays it.
      fatal.abort("region " + region.getRegionNameAsString() + " cannot be closed", e);
      return false;
    }
  }

  /**
   * Closes every region for a clean stop, some at a time, and hbase:meta when all others are
   * closed; failures are logged and left to recovery. Returns whether all closed.
   *
   * @param threads regions that are closed at a time
   */
  public boolean closeAll(int threads) throws IOException, InterruptedException {
    Map<Boolean, List<OnlineRegion>> byMeta =
        registry.all().stream()
            .collect(Collectors.partitioningBy(region -> region.info().isMetaRegion()));
    Queue<OnlineRegion> failed = new ConcurrentLinkedQueue<>();
    RegionFanOut fanOut = new RegionFanOut("grampus-stop-region", threads);
    for (boolean meta : new boolean[] {false, true}) {
      fanOut.run(byMeta.get(meta), region -> closeForStop(region, failed));
    }
    return failed.isEmpty();
  }

  /** Every other region is closed all the same, whatever goes wrong with this one. */
  private void closeForStop(OnlineRegion region, Queue<OnlineRegion> failed) {
    registry.remove(region.encodedName());
    try {
      region.engine().close(false);
    } catch (RuntimeException | Error e) {
      failed.add(region);
      LOG.error(
          "region {} was not closed cleanly; it is recovered from the log at the next start",
          region.encodedName(),
          e);
    }
  }

  private void requireAccepted(boolean accepted, String what, RegionInfo region) {
    if (!accepted) {
      fatal.abort("the master refused " + what + " of " + region.getRegionNameAsString(), null);
    }
  }

  /** The lock of a region, which lives as long as a thread holds or awaits it. */
  private ReentrantLock lock(String encodedName) {
    locks.purge();
    return locks.get(encodedName);
  }
}

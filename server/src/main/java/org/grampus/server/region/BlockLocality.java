package org.grampus.server.region;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.HDFSBlocksDistribution;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.FSUtils;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.RegionStats;
import org.grampus.server.env.Env;
import org.grampus.server.env.Repeated;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks up which blocks of the regions' files have a replica on this server's host, for the
 * master's balancer and the metrics. A thread of its own asks the name node about regions whose
 * files have changed, or whose blocks HDFS may have moved since: one listing per family, and a few
 * calls more per reference or link. What it finds belongs to the region ({@link
 * OnlineRegion#blockWeights}) and goes with it.
 *
 * <p>Counted as in {@code HRegion.computeHDFSBlocksDistribution}: a reference counts as half of the
 * file behind it.
 */
public final class BlockLocality implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BlockLocality.class);

  /** The blocks of a new file are looked up at most so much later. */
  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** The name node may have moved blocks by then. HBase keeps what it has looked up for so long. */
  private static final long STALE_NANOS = Duration.ofHours(4).toNanos();

  private final RegionFiles files;
  private final Configuration conf;
  private final RegionRegistry registry;
  private final Supplier<Map<String, RegionStats>> stats;
  private final String host;
  private final Map<String, Refresh> refreshes = new HashMap<>(); // by encoded name; of the thread
  private final CountDownLatch stop = new CountDownLatch(1);
  private final Thread thread = new Thread(this::run, "grampus-block-locality");

  /** The refresh of a region: of which object, with which files, when. */
  private record Refresh(OnlineRegion region, int files, RegionStats.FileTimes times, long nanos) {
    boolean holds(OnlineRegion now, RegionStats stats) {
      return region == now
          && files == stats.storeFileCount()
          && times.equals(stats.fileTimes())
          && Env.nanos() - nanos < STALE_NANOS;
    }
  }

  /**
   * Of the regions in a registry; the first refresh comes with {@link #start}.
   *
   * @param stats what the engine says of all open regions, by encoded name
   * @param host the server's, as its {@code ServerName} has it
   */
  public BlockLocality(
      RegionFiles files,
      RegionRegistry registry,
      Supplier<Map<String, RegionStats>> stats,
      String host) {
    this.files = files;
    this.conf = files.settings();
    this.registry = registry;
    this.stats = stats;
    this.host = host;
    thread.setDaemon(true);
  }

  /** Refreshes from now on, where files are not on local disks. */
  public void start() {
    if (!RegionFiles.isLocal(files.root())) {
      thread.start();
    }
  }

  private void run() {
    Runnable refresh = Repeated.of("the lookup of block locality", this::refresh);
    try {
      do {
        refresh.run();
      } while (!stop.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Looks up the blocks of the regions that have other files than at their last refresh. For one
   * thread; {@link #start} begins one that does it again and again.
   */
  public void refresh() {
    refreshes.keySet().removeIf(region -> registry.find(region) == null);
    try {
      Map<String, RegionStats> all = stats.get();
      for (OnlineRegion region : registry.all()) {
        RegionStats ofRegion = all.get(region.encodedName());
        if (stop.getCount() > 0 && ofRegion != null) { // else it was closed meanwhile
          refreshIfChanged(region, ofRegion);
        }
      }
    } catch (IOException e) { // as when no name node answers: the next region would wait as long
      LOG.info("the blocks of the other regions are looked up later: {}", e.toString());
    } catch (EngineException e) {
      if (e.kind() == ErrorKind.NOT_SERVING) {
        LOG.debug("the engine was closed meanwhile", e);
      } else {
        LOG.warn("block locality is looked up later: {}", e.toString());
      }
    }
  }

  /**
   * A region whose files cannot be looked at leaves the others alone.
   *
   * @throws IOException when others cannot be looked at either
   */
  private void refreshIfChanged(OnlineRegion region, RegionStats stats) throws IOException {
    Refresh last = refreshes.get(region.encodedName());
    if (last != null && last.holds(region, stats)) {
      return;
    }
    long begun = Env.nanos();
    try {
      region.blockWeights(BlockWeights.onHost(blocks(region), host));
      refreshes.put(
          region.encodedName(),
          new Refresh(region, stats.storeFileCount(), stats.fileTimes(), begun));
    } catch (FileNotFoundException e) {
      LOG.debug("a file of {} has gone meanwhile", region.encodedName(), e);
    } catch (AccessControlException | EOFException | RemoteException e) {
      LOG.info("the blocks of {} are looked up later: {}", region.encodedName(), e.toString());
    }
  }

  private HDFSBlocksDistribution blocks(OnlineRegion region) throws IOException {
    HDFSBlocksDistribution blocks = new HDFSBlocksDistribution();
    Path directory = files.regionDir(region.info());
    for (ColumnFamilyDescriptor family : region.table().getColumnFamilies()) {
      RemoteIterator<LocatedFileStatus> found =
          files.fileSystem().listLocatedStatus(new Path(directory, family.getNameAsString()));
      while (found.hasNext()) {
        add(blocks, found.next());
      }
    }
    return blocks;
  }

  private void add(HDFSBlocksDistribution blocks, LocatedFileStatus file) throws IOException {
    FileSystem fs = files.fileSystem();
    Path path = file.getPath();
    if (StoreFileInfo.isReference(path) || HFileLink.isHFileLink(path)) {
      blocks.add(new StoreFileInfo(conf, fs, file).computeHDFSBlocksDistribution(fs));
    } else {
      FSUtils.addToHDFSBlocksDistribution(blocks, file.getBlockLocations());
    }
  }

  /** No further refresh; one that is under way ends after the region that it is at. */
  @Override
  public void close() {
    stop.countDown();
  }
}

package org.grampus.server.region;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.grampus.compat.table.FileTracker;
import org.grampus.compat.table.TableCheck;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;

/** Opens regions on the engine, from the descriptors that are on disk. Any thread. */
public final class RegionOpener {
  private final Configuration conf;
  private final NativeEngine engine;
  private final RegionFiles files;

  /** An opener of regions below the root directory of these files. */
  public RegionOpener(Configuration conf, NativeEngine engine, RegionFiles files) {
    this.conf = conf;
    this.engine = engine;
    this.files = files;
  }

  /**
   * Opens a region; its directories are made where they are missing.
   *
   * @throws IOException when its table has no descriptor, another store file tracker than DEFAULT,
   *     or what {@link TableCheck} refuses, or the region is a replica
   * @throws org.grampus.engine.EngineException when the engine cannot open it
   */
  public OnlineRegion open(RegionInfo region) throws IOException {
    if (region.getReplicaId() != RegionInfo.DEFAULT_REPLICA_ID) {
      throw new IOException(
          "region replicas are not supported; set REGION_REPLICATION of "
              + region.getTable()
              + " to 1");
    }
    TableDescriptor table = files.descriptor(region);
    FileTracker.check(table, conf);
    TableCheck.check(table);
    files.prepare(region, table);
    NativeRegion opened =
        engine.openRegion(
            RegionRequest.of(
                region,
                table,
                conf,
                RegionFiles.place(files.root()),
                RegionFiles.place(files.regionDir(region)),
                files.walPlace()));
    try {
      long sequence = opened.openReport().openSeqNum();
      OnlineRegion online =
          new OnlineRegion(region, table, opened, sequence, RegionDefaults.of(table, conf));
      if (!RegionFiles.isLocal(files.root())) {
        online.blockWeights(BlockWeights.NONE);
      }
      return online;
    } catch (RuntimeException e) {
      opened.close(true);
      throw e;
    }
  }
}

package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.grampus.compat.read.GetAdapter;
import org.grampus.compat.read.ReadFlags;
import org.grampus.compat.read.ScanAdapter;
import org.grampus.server.region.OnlineRegion;

/** Writes reads for the engine, with the region's defaults where they say nothing. */
final class RegionReads {
  private RegionReads() {}

  /** Writes a get into an empty buffer. */
  static void write(Get get, OnlineRegion region, boolean mayBlock, ByteBuf spec)
      throws IOException {
    GetAdapter.write(get, region.families(), mayBlock, spec);
    if (!get.hasLoadColumnFamiliesOnDemand()) {
      addDefaults(region, spec);
    }
  }

  /** Writes a scan into an empty buffer; returns whether its filter looks at whole rows. */
  static boolean write(Scan scan, OnlineRegion region, ByteBuf spec) throws IOException {
    boolean filtersRows = ScanAdapter.write(scan, region.families(), spec);
    if (!scan.hasLoadColumnFamiliesOnDemand()) {
      addDefaults(region, spec);
    }
    return filtersRows;
  }

  private static void addDefaults(OnlineRegion region, ByteBuf spec) {
    if (!region.defaults().loadsOnDemand()) {
      ReadFlags.loadAtOnce(spec);
    }
  }
}

package org.grampus.server.service;

import java.io.IOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;

/** Priorities of calls whose header names none: those on system tables come first. */
final class RegionPriority {
  static final int NORMAL = 0;
  static final int SYSTEM_TABLE = 200;

  private RegionPriority() {}

  static int of(RegionRegistry regions, RegionSpecifier region) {
    try {
      return of(regions.lookup(region));
    } catch (IOException e) {
      return NORMAL; // the call itself will meet the same error and report it
    }
  }

  static int of(OnlineRegion region) {
    return region.isSystem() ? SYSTEM_TABLE : NORMAL;
  }
}

package org.grampus.compat.suite.history;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens to the clients' table between two deaths of a server: one thing at a time. For one
 * thread.
 */
public final class Upheaval {
  private static final Logger LOG = LoggerFactory.getLogger(Upheaval.class);

  private final Connection connection;
  private final Random random;

  /** Of the table of {@link HistoryClients}. */
  public Upheaval(Connection connection, long seed) {
    this.connection = connection;
    this.random = new Random(seed);
  }

  /** Does one of them; some are refused, such as a split of a region that was split just now. */
  public void once() {
    try (Admin admin = connection.getAdmin()) {
      switch (random.nextInt(6)) {
        case 0, 1 -> admin.flush(HotRows.TABLE);
        case 2 -> admin.compact(HotRows.TABLE);
        case 3 -> admin.majorCompact(HotRows.TABLE);
        case 4 -> split(admin);
        default -> move(admin);
      }
    } catch (IOException e) {
      LOG.debug("refused", e);
    }
  }

  private void split(Admin admin) throws IOException {
    byte[] at = Bytes.toBytes((char) ('a' + random.nextInt(8)) + "-" + random.nextInt(10));
    admin.split(HotRows.TABLE, at);
  }

  /**
   * Where there is one server a master moves nothing: there the region goes away and comes back.
   */
  private void move(Admin admin) throws IOException {
    List<RegionInfo> regions = admin.getRegions(HotRows.TABLE);
    RegionInfo region = regions.get(random.nextInt(regions.size()));
    if (admin.getRegionServers().size() > 1) {
      admin.move(region.getEncodedNameAsBytes());
    } else {
      try {
        admin.unassign(region.getRegionName());
      } finally {
        admin.assign(region.getRegionName());
      }
    }
  }

  /** Brings regions back that a death left closed, as an operator would. */
  void heal() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (RegionInfo region : admin.getRegions(HotRows.TABLE)) {
        try {
          admin.assign(region.getRegionName());
        } catch (IOException e) {
          LOG.debug("region {} needs no assignment", region.getEncodedName(), e);
        }
      }
    }
  }
}

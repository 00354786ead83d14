package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Flushes and compacts the table's regions by chance until told to stop. One thread. */
final class Churn implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Churn.class);
  private static final int PAUSE_MILLIS = 30;

  private final Admin admin;
  private final TableName table;
  private final Random random;
  private final AtomicBoolean stop;

  Churn(Admin admin, TableName table, long seed, AtomicBoolean stop) {
    this.admin = admin;
    this.table = table;
    this.random = new Random(seed);
    this.stop = stop;
  }

  @Override
  public void run() {
    try (admin) {
      while (!stop.get()) {
        disturb();
        Thread.sleep(random.nextInt(PAUSE_MILLIS));
      }
    } catch (IOException e) {
      LOG.warn("no more flushes and compactions", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void disturb() throws IOException {
    for (RegionInfo region : admin.getRegions(table)) {
      switch (random.nextInt(4)) {
        case 0 -> admin.majorCompactRegion(region.getRegionName());
        case 1 -> admin.compactRegion(region.getRegionName());
        default -> admin.flushRegion(region.getRegionName());
      }
    }
  }
}

package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Keeps the master busy while the writers write: tables made and dropped, the writers' table
 * altered, flushed and compacted, its regions closed and opened. Failures are expected while the
 * server is down; what counts is that the table heals.
 */
final class Disturber implements Runnable {
  private final Connection connection;
  private final Random random;
  private final AtomicBoolean stop;
  private final AtomicBoolean ddl;

  /** Runs until stopped; table operations only while {@code ddl} is set. */
  Disturber(Connection connection, long seed, AtomicBoolean stop, AtomicBoolean ddl) {
    this.connection = connection;
    this.random = new Random(seed);
    this.stop = stop;
    this.ddl = ddl;
  }

  @Override
  public void run() {
    while (!stop.get()) {
      try (Admin admin = connection.getAdmin()) {
        if (ddl.get()) {
          changeTables(admin);
        } else {
          maintain(admin);
        }
        Thread.sleep(random.nextInt(200));
      } catch (IOException e) {
        // The server is down or coming up; the next round tries something else.
        continue;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  private void maintain(Admin admin) throws IOException {
    if (random.nextBoolean()) {
      admin.flush(Schema.TABLE);
    } else {
      admin.majorCompact(Schema.TABLE);
    }
  }

  private void changeTables(Admin admin) throws IOException {
    switch (random.nextInt(3)) {
      case 0 -> createAndDrop(admin);
      case 1 -> alter(admin);
      default -> closeAndOpen(admin);
    }
  }

  private void createAndDrop(Admin admin) throws IOException {
    TableName name = TableName.valueOf("side" + random.nextInt(5));
    if (!admin.tableExists(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(Schema.F))
              .build());
    } else {
      if (admin.isTableEnabled(name)) {
        admin.disableTable(name);
      }
      admin.deleteTable(name);
    }
  }

  private void alter(Admin admin) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(Schema.TABLE))
            .setMaxFileSize((16L << 10) + random.nextInt(1000))
            .build());
  }

  private void closeAndOpen(Admin admin) throws IOException {
    List<RegionInfo> regions = admin.getRegions(Schema.TABLE);
    byte[] region = regions.get(random.nextInt(regions.size())).getRegionName();
    admin.unassign(region);
    admin.assign(region);
  }
}

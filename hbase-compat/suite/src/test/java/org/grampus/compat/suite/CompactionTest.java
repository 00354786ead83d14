package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** When files are merged and when not, and what is told about it. */
class CompactionTest extends CompatTest {
  private static final long LIMIT_NANOS = 60_000_000_000L;

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(String what, Condition condition) throws Exception {
    long deadline = System.nanoTime() + LIMIT_NANOS;
    while (!condition.holds()) {
      assertTrue(System.nanoTime() < deadline, what + " did not come within 60 s");
      Thread.sleep(20);
    }
  }

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of(
        ColumnFamilyDescriptorBuilder.newBuilder(F)
            .setConfiguration("hbase.hstore.compaction.min", "2")
            .build(),
        ColumnFamilyDescriptorBuilder.newBuilder(G)
            .setConfiguration("hbase.hstore.time.to.purge.deletes", "3600000")
            .build());
  }

  private RegionMetrics region() throws IOException {
    ServerName server = admin.getRegionServers().iterator().next();
    List<RegionMetrics> regions = admin.getRegionMetrics(server, name);
    assertEquals(1, regions.size());
    return regions.get(0);
  }

  private int files() throws IOException {
    return region().getStoreFileCount();
  }

  /** Two files in each of the families. */
  private void flushTwice(byte[]... families) throws IOException {
    for (int i = 0; i < 2; i++) {
      Put put = new Put(b("row" + i));
      for (byte[] family : families) {
        put.addColumn(family, Q, b("v"));
      }
      table.put(put);
      admin.flush(name);
    }
  }

  @Test
  void aFamilysOwnNumberOfFilesIsObeyed() throws Exception {
    flushTwice(F, G);
    admin.compact(name);
    await("the compaction of two files of f", () -> files() == 3);
    await("its end", () -> admin.getCompactionState(name) == CompactionState.NONE);
    assertEquals(3, files(), "two files of g are too few");
  }

  @Test
  void aFlushOfTheTableStartsNoCompactionAndOneOfARegionDoes() throws Exception {
    flushTwice(F);
    flushTwice(F);
    assertEquals(CompactionState.NONE, admin.getCompactionState(name));
    assertEquals(4, files());
    table.put(new Put(b("row")).addColumn(F, Q, b("v")));
    admin.flushRegion(region().getRegionName());
    await("the compaction of too many files", () -> files() < 4);
  }

  @Test
  void whileCompactionsAreSwitchedOffRequestsAreIgnored() throws Exception {
    admin.compactionSwitch(false, List.of());
    try {
      flushTwice(F);
      admin.majorCompact(name);
      assertEquals(CompactionState.NONE, admin.getCompactionState(name));
      assertEquals(2, files());
    } finally {
      admin.compactionSwitch(true, List.of());
    }
    admin.majorCompact(name);
    await("the major compaction", () -> files() == 1);
  }

  @Test
  void aTableMayHaveNoCompactions() throws Exception {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setCompactionEnabled(false)
            .build());
    flushTwice(F);
    admin.majorCompact(name);
    assertEquals(CompactionState.NONE, admin.getCompactionState(name));
    assertEquals(2, files());
  }

  @Test
  void youngMarkersOfAFamilyThatKeepsThemHideWhatComesLate() throws Exception {
    long now = System.currentTimeMillis();
    byte[] row = b("row");
    for (byte[] family : List.of(F, G)) {
      table.put(new Put(row).addColumn(family, Q, now - 10, b("v")));
      table.delete(new Delete(row).addColumns(family, Q, now));
    }
    admin.flush(name);
    admin.majorCompact(name);
    await("the major compaction", () -> region().getLastMajorCompactionTimestamp() >= now);
    await("its end", () -> admin.getCompactionState(name) == CompactionState.NONE);
    for (byte[] family : List.of(F, G)) {
      table.put(new Put(row).addColumn(family, Q, now - 10, b("late")));
    }
    Result result = table.get(new Get(row));
    assertArrayEquals(b("late"), result.getValue(F, Q), "the marker is gone");
    assertFalse(result.containsColumn(G, Q));
  }

  @Test
  void theLastMajorCompactionIsReported() throws Exception {
    flushTwice(G);
    assertEquals(0, admin.getLastMajorCompactionTimestamp(name));
    long before = System.currentTimeMillis();
    admin.majorCompact(name);
    await("the major compaction", () -> files() == 1);
    await("its end", () -> admin.getCompactionState(name) == CompactionState.NONE);
    assertEquals(0, region().getCompactingCellCount(), "nothing runs");
    assertEquals(0, region().getCompactedCellCount());
    assertTrue(region().getLastMajorCompactionTimestamp() >= before);
    await("the report to the master", () -> admin.getLastMajorCompactionTimestamp(name) >= before);
  }
}

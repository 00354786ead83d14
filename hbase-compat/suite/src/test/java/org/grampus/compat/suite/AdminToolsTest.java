package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.CacheEvictionStats;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The tools of HBase's Admin: regions, compactions, switches, chores and logs of the server. */
class AdminToolsTest extends CompatTest {
  private ServerName server;

  @BeforeEach
  void fillTable() throws Exception {
    server = admin.getRegionServers().iterator().next();
    for (char c = 'a'; c <= 'e'; c++) {
      table.put(new Put(b("" + c)).addColumn(F, Q, 1, b("v")));
    }
  }

  private RegionInfo region() throws Exception {
    return admin.getRegions(name).get(0);
  }

  private void assertRows() throws Exception {
    assertEquals("a b c d e", rows(new Scan()));
  }

  @Test
  void aRegionIsTakenAwayAndGivenBack() throws Exception {
    admin.unassign(region().getRegionName());
    admin.assign(region().getRegionName());
    assertRows();
    admin.move(region().getEncodedNameAsBytes());
    assertRows();
    admin.move(region().getEncodedNameAsBytes(), server);
    assertRows();
  }

  @Test
  void aRegionIsTruncated() throws Exception {
    admin.splitRegionAsync(region().getRegionName(), b("c")).get(60, TimeUnit.SECONDS);
    assertRows();
    admin.truncateRegion(region().getRegionName());
    assertEquals("c d e", rows(new Scan()));
    table.put(new Put(b("b")).addColumn(F, Q, 1, b("v")));
    assertEquals("b c d e", rows(new Scan()));
  }

  @Test
  void everyKindOfFlush() throws Exception {
    admin.flushRegion(region().getRegionName());
    admin.flushRegion(region().getRegionName(), F);
    admin.flush(name, F);
    admin.flush(name, List.of(F, G));
    admin.flushRegionServer(server);
    assertRows();
    assertEquals(0, admin.getRegionMetrics(server, name).get(0).getMemStoreSize().getLongValue());
  }

  @Test
  void everyKindOfCompaction() throws Exception {
    admin.flush(name);
    admin.compact(name, F);
    admin.compactRegion(region().getRegionName());
    admin.majorCompactRegion(region().getRegionName(), F);
    admin.compactRegionServer(server);
    admin.majorCompactRegionServer(server);
    while (admin.getCompactionStateForRegion(region().getRegionName()) != CompactionState.NONE) {
      Thread.sleep(50);
    }
    assertRows();
  }

  @Test
  void queuesOfCompactionsAreCleared() throws Exception {
    admin.clearCompactionQueues(server, Set.of("long", "short"));
    assertThrows(
        IOException.class, () -> admin.clearCompactionQueues(server, Set.of("no such queue")));
    assertRows();
  }

  @Test
  void blocksLeaveTheCacheAndComeBack() throws Exception {
    admin.flush(name);
    assertRows();
    CacheEvictionStats first = admin.clearBlockCache(name);
    assertTrue(first.getEvictedBlocks() > 0, first.toString());
    assertTrue(first.getMaxCacheSize() > 0, first.toString());
    assertEquals(Map.of(), first.getExceptions());
    assertEquals(0, admin.clearBlockCache(name).getEvictedBlocks());
    assertRows();
  }

  @Test
  void switchesTellWhatTheyWere() throws Exception {
    assertEquals(Map.of(server, true), admin.compactionSwitch(false, List.of()));
    assertEquals(
        Map.of(server, false), admin.compactionSwitch(true, List.of(server.getServerName())));
    assertTrue(admin.splitSwitch(false, true));
    assertFalse(admin.splitSwitch(true, true));
    assertTrue(admin.mergeSwitch(true, true));
    boolean balances = admin.balancerSwitch(false, true);
    assertFalse(admin.isBalancerEnabled());
    admin.balancerSwitch(balances, true);
    boolean normalizes = admin.normalizerSwitch(true);
    assertTrue(admin.isNormalizerEnabled());
    assertTrue(admin.normalize());
    admin.normalizerSwitch(normalizes);
  }

  @Test
  void choresRun() throws Exception {
    assertTrue(admin.runCatalogJanitor() >= 0);
    admin.runCleanerChore(); // false while a file must be kept, as those of other tests
    assertTrue(admin.isCleanerChoreEnabled());
    assertTrue(admin.isSnapshotCleanupEnabled());
    assertFalse(admin.isMasterInMaintenanceMode());
    assertEquals(List.of(), admin.clearDeadServers(List.copyOf(admin.listDeadServers())));
    assertEquals(List.of(), admin.listUnknownServers());
  }

  @Test
  void aServerIsTakenOutAndBack() throws Exception {
    admin.decommissionRegionServers(List.of(server), false);
    assertEquals(List.of(server), admin.listDecommissionedRegionServers());
    admin.recommissionRegionServer(server, List.of());
    assertEquals(List.of(), admin.listDecommissionedRegionServers());
    assertRows();
    awaitInUse();
  }

  /**
   * Waits until the master uses the server again. Its watch of ZooKeeper may see the mark when that
   * has been taken away already, and put the server back on the list for good.
   */
  private void awaitInUse() throws Exception {
    TableName probe = TableName.valueOf("aServerIsInUse");
    TableDescriptor descriptor =
        TableDescriptorBuilder.newBuilder(probe)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    Future<Void> created = admin.createTableAsync(descriptor);
    while (!isDone(created)) {
      admin.recommissionRegionServer(server, List.of());
    }
    admin.disableTable(probe);
    admin.deleteTable(probe);
  }

  private static boolean isDone(Future<Void> future) throws Exception {
    try {
      future.get(1, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Test
  void logsAreRolledAndThereAreNoSlowCalls() throws Exception {
    admin.rollWALWriter(server);
    assertRows();
    assertEquals(
        List.of(),
        admin.getLogEntries(Set.of(server), "SLOW_LOG", ServerType.REGION_SERVER, 10, Map.of()));
    assertEquals(List.of(false), admin.clearSlowLogResponses(Set.of(server)));
  }

  @Test
  void settingsAreReadAgain() throws Exception {
    admin.updateConfiguration(server);
    admin.updateConfiguration();
    assertRows();
  }

  @Test
  void aRegionsLoadCountsItsRequests() throws Exception {
    assertRows();
    var load = admin.getRegionMetrics(server, name).get(0);
    assertEquals(5, load.getWriteRequestCount());
    assertTrue(load.getReadRequestCount() >= 5);
    assertEquals(2, load.getStoreCount());
    assertEquals(
        1, admin.getRegions(server).stream().filter(r -> r.getTable().equals(name)).count());
  }
}

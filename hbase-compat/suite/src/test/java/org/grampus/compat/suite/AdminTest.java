package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NamespaceDescriptor;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.compress.Compression;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.Test;

class AdminTest extends CompatTest {
  private static final byte[] H = b("h");
  private static final List<Compression.Algorithm> COMPRESSIONS =
      List.of(
          Compression.Algorithm.GZ,
          Compression.Algorithm.SNAPPY,
          Compression.Algorithm.LZ4,
          Compression.Algorithm.ZSTD,
          Compression.Algorithm.NONE);

  @Test
  void tablesAreListedAndDescribed() throws Exception {
    assertTrue(List.of(admin.listTableNames()).contains(name));
    assertEquals(5, admin.getDescriptor(name).getColumnFamily(F).getMaxVersions());
    assertThrows(
        TableExistsException.class,
        () ->
            admin.createTable(
                TableDescriptorBuilder.newBuilder(name)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                    .build()));
  }

  @Test
  void aDisabledTableComesBackWithItsData() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 1, b("v")));
    admin.disableTable(name);
    assertTrue(admin.isTableDisabled(name));
    admin.enableTable(name);
    assertEquals("r/f:q@1=v", show(table.get(new Get(b("r")))));
  }

  @Test
  void eachCompressionIsAcceptedAndRead() throws Exception {
    assumeTrue(SharedServer.kind() == ServerKind.GRAMPUS, "stock HBase has no ZSTD of its own");
    for (Compression.Algorithm compression : COMPRESSIONS) {
      ColumnFamilyDescriptor family =
          ColumnFamilyDescriptorBuilder.newBuilder(F).setCompressionType(compression).build();
      admin.disableTable(name);
      admin.modifyColumnFamily(name, family);
      admin.enableTable(name);
      byte[] row = b(compression.getName());
      table.put(new Put(row).addColumn(F, Q, 1, b("v".repeat(10_000))));
      admin.flush(name);
      assertEquals(10_000, table.get(new Get(row)).getValue(F, Q).length, compression.getName());
    }
    assertEquals("gz lz4 none snappy zstd", rows(new Scan()));
  }

  @Test
  void truncateEmptiesATable() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 1, b("v")));
    admin.flush(name);
    table.put(new Put(b("s")).addColumn(F, Q, 1, b("v")));
    admin.disableTable(name);
    admin.truncateTable(name, true);
    assertEquals("", rows(new Scan()));
    table.put(new Put(b("t")).addColumn(F, Q, 1, b("v")));
    assertEquals("t", rows(new Scan()));
  }

  @Test
  void familiesComeAndGoWithTheirData() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 1, b("v")).addColumn(G, Q, 1, b("w")));
    admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(H));
    table.put(new Put(b("r")).addColumn(H, Q, 1, b("x")));
    assertEquals("r/f:q@1=v r/g:q@1=w r/h:q@1=x", show(table.get(new Get(b("r")))));
    admin.deleteColumnFamily(name, G);
    assertEquals("r/f:q@1=v r/h:q@1=x", show(table.get(new Get(b("r")))));
    admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of(G));
    assertEquals("r/f:q@1=v r/h:q@1=x", show(table.get(new Get(b("r")))));
  }

  @Test
  void alteredVersionsApplyToWhatIsThere() throws Exception {
    for (long ts = 1; ts <= 4; ts++) {
      table.put(new Put(b("r")).addColumn(F, Q, ts, b("v" + ts)));
    }
    ColumnFamilyDescriptor two =
        ColumnFamilyDescriptorBuilder.newBuilder(admin.getDescriptor(name).getColumnFamily(F))
            .setMaxVersions(2)
            .build();
    admin.modifyColumnFamily(name, two);
    assertEquals("r/f:q@4=v4 r/f:q@3=v3", show(table.get(new Get(b("r")).readAllVersions())));
  }

  @Test
  void presplitTablesRouteRowsToTheirRegions() throws Exception {
    admin.disableTable(name);
    admin.deleteTable(name);
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build(),
        new byte[][] {b("g"), b("p")});
    assertEquals(3, admin.getRegions(name).size());
    List<Put> puts = new ArrayList<>();
    for (char c = 'a'; c <= 'z'; c++) {
      puts.add(new Put(b("" + c)).addColumn(F, Q, 1, b("v")));
    }
    table.put(puts);
    assertEquals("a b c d e f g h i j k l m n o p q r s t u v w x y z", rows(new Scan()));
    assertEquals(
        "z y x w v u t s r q p o n m l k j i h g f e d c b a", rows(new Scan().setReversed(true)));
    assertEquals("o p q", rows(new Scan().withStartRow(b("o")).withStopRow(b("r"))));
  }

  @Test
  void splitsAndMergesKeepEveryRow() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (char c = 'a'; c <= 'z'; c++) {
      puts.add(new Put(b("" + c)).addColumn(F, Q, 1, b("v")));
    }
    table.put(puts);
    admin.flush(name);
    admin
        .splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), b("m"))
        .get(60, TimeUnit.SECONDS);
    assertEquals(2, admin.getRegions(name).size());
    String all = "a b c d e f g h i j k l m n o p q r s t u v w x y z";
    assertEquals(all, rows(new Scan()));
    table.put(new Put(b("zz")).addColumn(F, Q, 1, b("v")));
    Maintenance.majorCompact(connection, name, F);
    byte[][] regions =
        admin.getRegions(name).stream().map(r -> r.getRegionName()).toArray(byte[][]::new);
    Maintenance.merge(admin, regions);
    assertEquals(1, admin.getRegions(name).size());
    assertEquals(all + " zz", rows(new Scan()));
  }

  @Test
  void droppedTablesAreGone() throws Exception {
    admin.disableTable(name);
    admin.deleteTable(name);
    assertFalse(admin.tableExists(name));
    assertThrows(TableNotFoundException.class, () -> table.get(new Get(b("r"))));
  }

  @Test
  void namespacesHoldTables() throws Exception {
    String namespace = "ns" + Long.toHexString(System.nanoTime());
    admin.createNamespace(NamespaceDescriptor.create(namespace).build());
    var inner = org.apache.hadoop.hbase.TableName.valueOf(namespace, "t");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(inner)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    try (var innerTable = connection.getTable(inner)) {
      innerTable.put(new Put(b("r")).addColumn(F, Q, 1, b("v")));
      assertEquals("r/f:q@1=v", show(innerTable.get(new Get(b("r")))));
    }
    admin.disableTable(inner);
    admin.deleteTable(inner);
    admin.deleteNamespace(namespace);
    assertFalse(List.of(admin.listNamespaces()).contains(namespace));
  }

  @Test
  void compactionsKeepTheNewestVersions() throws Exception {
    for (long ts = 1; ts <= 8; ts++) {
      table.put(new Put(b("r")).addColumn(F, Q, ts, b("v" + ts)));
      if (ts % 3 == 0) {
        admin.flush(name);
      }
    }
    Maintenance.majorCompact(connection, name, F);
    assertEquals(5, table.get(new Get(b("r")).readAllVersions()).size());
    assertEquals(
        5, scan(new Scan().setRaw(true).readVersions(100).withStopRow(b("s"))).get(0).size());
  }

  @Test
  void clusterMetricsNameTheServer() throws Exception {
    assertEquals(1, admin.getClusterMetrics().getLiveServerMetrics().size());
    assertTrue(
        Bytes.toString(admin.getRegions(name).get(0).getRegionName())
            .startsWith(name.getNameAsString()));
  }

  @Test
  @KnownGap("Reads: consistency TIMELINE, replica ids")
  void tablesThatCannotBeServedAreRefusedWithAReason() throws Exception {
    TableName replicated = TableName.valueOf("replicated");
    DoNotRetryIOException error =
        assertThrows(
            DoNotRetryIOException.class,
            () ->
                admin.createTable(
                    TableDescriptorBuilder.newBuilder(replicated)
                        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                        .setRegionReplication(2)
                        .build()));
    assertTrue(
        error.getMessage().contains("region replicas are not supported"), error.getMessage());
    assertFalse(admin.tableExists(replicated));
  }
}

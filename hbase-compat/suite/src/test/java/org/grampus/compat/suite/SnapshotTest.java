package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.SnapshotType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SnapshotTest extends CompatTest {
  private static final String ALL = "a b c d e f g h i j k l m n o p q r s t u v w x y z";

  private String snapshot;
  private TableName clone;

  @BeforeEach
  void nameSnapshot() {
    snapshot = name.getNameAsString() + "Snapshot";
    clone = TableName.valueOf(name.getNameAsString() + "Clone");
  }

  @AfterEach
  void dropSnapshots() throws IOException {
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot)));
    if (admin.tableExists(clone)) {
      drop(clone);
    }
  }

  private void drop(TableName doomed) throws IOException {
    if (admin.isTableEnabled(doomed)) {
      admin.disableTable(doomed);
    }
    admin.deleteTable(doomed);
  }

  private void put(String... rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (String row : rows) {
      puts.add(new Put(b(row)).addColumn(F, Q, 1, b("v")).addColumn(G, Q, 1, b("w")));
    }
    table.put(puts);
  }

  private void putAlphabet() throws IOException {
    put(ALL.split(" "));
  }

  private String rowsOf(TableName other) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table source = connection.getTable(other);
        ResultScanner scanner = source.getScanner(new Scan())) {
      scanner.forEach(
          result -> {
            assertEquals(2, result.size(), Bytes.toString(result.getRow()));
            rows.add(Bytes.toString(result.getRow()));
          });
    }
    return String.join(" ", rows);
  }

  private void splitAt(String row) throws Exception {
    admin
        .splitRegionAsync(admin.getRegions(name).get(0).getRegionName(), b(row))
        .get(60, TimeUnit.SECONDS);
    assertEquals(2, admin.getRegions(name).size());
  }

  @Test
  void anEnabledTableIsTakenWithItsUnflushedRows() throws Exception {
    put("a", "b");
    admin.flush(name);
    put("c");
    admin.snapshot(snapshot, name);
    put("d");
    admin.cloneSnapshot(snapshot, clone);
    assertEquals("a b c", rowsOf(clone));
    assertEquals("a b c d", rowsOf(name));
  }

  @Test
  void aSnapshotWithoutAFlushHasWhatWasOnDisk() throws Exception {
    put("a");
    admin.flush(name);
    put("b");
    admin.snapshot(snapshot, name, SnapshotType.SKIPFLUSH);
    admin.cloneSnapshot(snapshot, clone);
    assertEquals("a", rowsOf(clone));
  }

  @Test
  void aDisabledTableIsTaken() throws Exception {
    put("a", "b");
    admin.disableTable(name);
    admin.snapshot(snapshot, name);
    admin.enableTable(name);
    put("c");
    admin.cloneSnapshot(snapshot, clone);
    assertEquals("a b", rowsOf(clone));
  }

  @Test
  void snapshotsAreListedAndDeleted() throws Exception {
    put("a");
    admin.snapshot(
        new SnapshotDescription(snapshot, name, SnapshotType.FLUSH, null, -1, -1, Map.of()));
    List<SnapshotDescription> found = admin.listSnapshots(Pattern.compile(Pattern.quote(snapshot)));
    assertEquals(1, found.size());
    assertEquals(name, found.get(0).getTableName());
    admin.deleteSnapshot(snapshot);
    assertTrue(admin.listSnapshots(Pattern.compile(Pattern.quote(snapshot))).isEmpty());
  }

  @Test
  void aCloneLivesALifeOfItsOwn() throws Exception {
    put("a", "b");
    admin.snapshot(snapshot, name);
    admin.cloneSnapshot(snapshot, clone);
    try (Table cloned = connection.getTable(clone)) {
      cloned.put(new Put(b("z")).addColumn(F, Q, 1, b("v")).addColumn(G, Q, 1, b("w")));
    }
    Maintenance.majorCompact(connection, clone, F);
    assertEquals("a b z", rowsOf(clone));
    assertEquals("a b", rowsOf(name));
  }

  @Test
  void aRestoreTakesBackWhatCameLater() throws Exception {
    put("a", "b");
    admin.snapshot(snapshot, name);
    put("c");
    admin.flush(name);
    put("d");
    admin.disableTable(name);
    admin.restoreSnapshot(snapshot);
    admin.enableTable(name);
    assertEquals("a b", rowsOf(name));
    put("e");
    assertEquals("a b e", rowsOf(name));
  }

  @Test
  void aCloneOutlivesItsSource() throws Exception {
    putAlphabet();
    admin.snapshot(snapshot, name);
    admin.cloneSnapshot(snapshot, clone);
    drop(name);
    assertEquals(ALL, rowsOf(clone));
    admin.deleteSnapshot(snapshot);
    admin.disableTable(clone);
    admin.enableTable(clone);
    assertEquals(ALL, rowsOf(clone));
  }

  @Test
  void aDroppedTableComesBackFromItsSnapshot() throws Exception {
    putAlphabet();
    admin.snapshot(snapshot, name);
    drop(name);
    assertFalse(admin.tableExists(name));
    admin.restoreSnapshot(snapshot);
    assertEquals(ALL, rowsOf(name));
  }

  @Test
  void aSplitAfterTheSnapshotDoesNotTouchIt() throws Exception {
    putAlphabet();
    admin.snapshot(snapshot, name);
    splitAt("m");
    put("zz");
    Maintenance.majorCompact(connection, name, F);
    admin.cloneSnapshot(snapshot, clone);
    assertEquals(1, admin.getRegions(clone).size());
    assertEquals(ALL, rowsOf(clone));
    admin.disableTable(name);
    admin.restoreSnapshot(snapshot);
    admin.enableTable(name);
    assertEquals(1, admin.getRegions(name).size());
    assertEquals(ALL, rowsOf(name));
  }

  @Test
  void aTableIsTakenRightAfterASplit() throws Exception {
    putAlphabet();
    admin.flush(name);
    splitAt("m");
    admin.snapshot(snapshot, name);
    admin.cloneSnapshot(snapshot, clone);
    assertEquals(2, admin.getRegions(clone).size());
    assertEquals(ALL, rowsOf(clone));
    drop(name);
    assertEquals(ALL, rowsOf(clone));
    Maintenance.majorCompact(connection, clone, F);
    assertEquals(ALL, rowsOf(clone));
  }

  @Test
  void aCloneCanBeSplit() throws Exception {
    putAlphabet();
    admin.snapshot(snapshot, name);
    admin.cloneSnapshot(snapshot, clone);
    admin
        .splitRegionAsync(admin.getRegions(clone).get(0).getRegionName(), b("m"))
        .get(60, TimeUnit.SECONDS);
    assertEquals(2, admin.getRegions(clone).size());
    assertEquals(ALL, rowsOf(clone));
    drop(name);
    assertEquals(ALL, rowsOf(clone));
  }
}

package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeleteTest extends CompatTest {
  private static final byte[] KEEP = b("keep");

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build(),
        ColumnFamilyDescriptorBuilder.of(G),
        ColumnFamilyDescriptorBuilder.newBuilder(KEEP)
            .setMaxVersions(5)
            .setKeepDeletedCells(KeepDeletedCells.TRUE)
            .build());
  }

  @BeforeEach
  void fill() throws Exception {
    for (long ts = 1; ts <= 3; ts++) {
      table.put(
          new Put(b("r"))
              .addColumn(F, b("a"), ts, b("a" + ts))
              .addColumn(F, b("b"), ts, b("b" + ts))
              .addColumn(G, b("c"), ts, b("c" + ts)));
    }
  }

  private String all() throws Exception {
    return show(table.get(new Get(b("r")).readAllVersions()));
  }

  @Test
  void deleteOfOneVersionUncoversTheNext() throws Exception {
    table.delete(new Delete(b("r")).addColumn(F, b("a"), 3));
    assertEquals("r/f:a@2=a2 r/f:b@3=b3 r/g:c@3=c3", show(table.get(new Get(b("r")))));
    admin.flush(name);
    assertEquals("r/f:a@2=a2 r/f:b@3=b3 r/g:c@3=c3", show(table.get(new Get(b("r")))));
  }

  @Test
  void deleteOfTheLatestVersionFindsItsTimestamp() throws Exception {
    table.delete(new Delete(b("r")).addColumn(F, b("a")));
    assertEquals(
        "r/f:a@2=a2 r/f:a@1=a1",
        show(table.get(new Get(b("r")).addColumn(F, b("a")).readAllVersions())));
    table.delete(new Delete(b("r")).addColumn(F, b("a")).addColumn(F, b("a")));
    assertEquals("", show(table.get(new Get(b("r")).addColumn(F, b("a")).readAllVersions())));
  }

  @Test
  void deleteOfAColumnHidesUpToItsTimestamp() throws Exception {
    table.delete(new Delete(b("r")).addColumns(F, b("a"), 2));
    assertEquals(
        "r/f:a@3=a3", show(table.get(new Get(b("r")).addColumn(F, b("a")).readAllVersions())));
    table.delete(new Delete(b("r")).addColumns(F, b("a")));
    assertEquals("r/f:b@3=b3 r/g:c@3=c3", show(table.get(new Get(b("r")))));
  }

  @Test
  void deleteOfAFamilyLeavesTheOthers() throws Exception {
    table.delete(new Delete(b("r")).addFamily(F));
    assertEquals("r/g:c@3=c3", show(table.get(new Get(b("r")))));
    table.delete(new Delete(b("r")).addFamily(G, 2));
    assertEquals("r/g:c@3=c3", all());
  }

  @Test
  void deleteOfAFamilyVersionHidesExactlyThatOne() throws Exception {
    table.delete(new Delete(b("r")).addFamilyVersion(F, 2));
    assertEquals("r/f:a@3=a3 r/f:a@1=a1 r/f:b@3=b3 r/f:b@1=b1 r/g:c@3=c3", all());
  }

  @Test
  void deleteOfARowHidesEverythingAndANewPutShows() throws Exception {
    table.delete(new Delete(b("r"), 3));
    assertEquals("", all());
    table.put(new Put(b("r")).addColumn(F, b("a"), 2, b("hidden")));
    assertEquals("", all());
    table.put(new Put(b("r")).addColumn(F, b("a"), 4, b("shown")));
    assertEquals("r/f:a@4=shown", all());
  }

  @Test
  void aDeleteBeatsAPutOfItsTimestampUntilMajorCompaction() throws Exception {
    table.delete(new Delete(b("r")).addColumns(F, b("a"), 3));
    table.put(new Put(b("r")).addColumn(F, b("a"), 3, b("late")));
    assertEquals("", show(table.get(new Get(b("r")).addColumn(F, b("a")))));
    admin.flush(name);
    Maintenance.majorCompact(connection, name, F);
    assertEquals("", show(table.get(new Get(b("r")).addColumn(F, b("a")).readAllVersions())));
    table.put(new Put(b("r")).addColumn(F, b("a"), 2, b("again")));
    assertEquals("r/f:a@2=again", show(table.get(new Get(b("r")).addColumn(F, b("a")))));
  }

  @Test
  void rawScansShowMarkersAndWhatTheyHide() throws Exception {
    table.delete(new Delete(b("r")).addColumns(F, b("a"), 2));
    assertEquals(
        "r/f:a@3=a3 r/f:a@2!DeleteColumn r/f:a@2=a2 r/f:a@1=a1",
        show(
            new Scan()
                .setRaw(true)
                .readAllVersions()
                .addFamily(F)
                .setFilter(new org.apache.hadoop.hbase.filter.ColumnPrefixFilter(b("a")))));
  }

  /** {@code Get} has no such setter, but what it is given as attribute becomes the scan's. */
  @Test
  void getsWithTheAttributeOfARawScanSeeMarkersAndHiddenCells() throws Exception {
    table.delete(new Delete(b("r")).addColumns(F, b("a"), 2));
    String all =
        "r/f:a@3=a3 r/f:a@2!DeleteColumn r/f:a@2=a2 r/f:a@1=a1 r/f:b@3=b3 r/f:b@2=b2 r/f:b@1=b1";
    Get raw = raw("r").readAllVersions().addFamily(F);
    assertEquals(all, show(table.get(raw)));
    Result[] several = table.get(List.of(raw, raw("none"), new Get(b("r")).addColumn(F, b("a"))));
    assertEquals(all, show(several[0]));
    assertTrue(several[1].isEmpty());
    assertEquals("r/f:a@3=a3", show(several[2]));
    table.delete(new Delete(b("gone")).addFamily(F, 5));
    assertFalse(table.exists(new Get(b("gone"))));
    assertTrue(table.exists(raw("gone")));
    assertThrows(DoNotRetryIOException.class, () -> table.get(raw("r").addColumn(F, b("a"))));
  }

  private static Get raw(String row) {
    Get get = new Get(b(row));
    new Scan().setRaw(true).getAttributesMap().forEach(get::setAttribute);
    return get;
  }

  @Test
  void majorCompactionDropsMarkersAndHiddenCells() throws Exception {
    table.delete(new Delete(b("r")).addFamily(F, 2));
    admin.flush(name);
    Maintenance.majorCompact(connection, name, F);
    assertEquals(
        "r/f:a@3=a3 r/f:b@3=b3", show(new Scan().setRaw(true).readAllVersions().addFamily(F)));
  }

  @Test
  void keptDeletedCellsAreSeenByQueriesOfTheirTime() throws Exception {
    for (long ts = 1; ts <= 3; ts++) {
      table.put(new Put(b("k")).addColumn(KEEP, Q, ts, b("v" + ts)));
    }
    table.delete(new Delete(b("k")).addColumns(KEEP, Q, 3));
    assertEquals("", show(table.get(new Get(b("k")))));
    assertEquals("k/keep:q@2=v2", show(table.get(new Get(b("k")).setTimeRange(0, 3))));
    admin.flush(name);
    Maintenance.majorCompact(connection, name, F);
    assertEquals("k/keep:q@2=v2", show(table.get(new Get(b("k")).setTimeRange(0, 3))));
    assertEquals("", show(table.get(new Get(b("k")))));
  }
}

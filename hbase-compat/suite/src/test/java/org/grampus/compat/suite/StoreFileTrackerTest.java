package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Tables whose files the master would look for in a list, which the engine does not write. */
class StoreFileTrackerTest extends CompatTest {
  private static final String ROW = "Administration: store file tracker";
  private static final String KEY = "hbase.store.file-tracker.impl";

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of(ColumnFamilyDescriptorBuilder.of(F));
  }

  private static void assertRefused(Executable call) {
    String message = assertThrows(DoNotRetryIOException.class, call).getMessage();
    assertTrue(message.contains("its store file tracker is \"FILE\""), message);
  }

  @Test
  @KnownGap(ROW)
  void noTableIsCreatedWithLists() throws IOException {
    TableName other = TableName.valueOf(name + "Listed");
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(other);
    ColumnFamilyDescriptorBuilder listed =
        ColumnFamilyDescriptorBuilder.newBuilder(F).setConfiguration(KEY, "FILE");
    assertRefused(() -> admin.createTable(table.setColumnFamily(listed.build()).build()));
    TableDescriptor inTable =
        table
            .removeColumnFamily(F)
            .setColumnFamily(families().get(0))
            .setValue(KEY, "FILE")
            .build();
    assertRefused(() -> admin.createTable(inTable));
    assertFalse(admin.tableExists(other));
  }

  @Test
  @KnownGap(ROW)
  void noTableIsAlteredToLists() throws Exception {
    TableDescriptor before = admin.getDescriptor(name);
    assertRefused(() -> admin.modifyTableStoreFileTracker(name, "FILE"));
    assertRefused(() -> admin.modifyColumnFamilyStoreFileTracker(name, F, "FILE"));
    ColumnFamilyDescriptor listed =
        ColumnFamilyDescriptorBuilder.newBuilder(G).setConfiguration(KEY, "FILE").build();
    assertRefused(() -> admin.addColumnFamily(name, listed));
    assertEquals(before, admin.getDescriptor(name));
    admin.modifyTableStoreFileTracker(name, "DEFAULT");
  }

  @Test
  @KnownGap(ROW)
  void noSnapshotIsClonedToLists() throws Exception {
    String snapshot = name + "Snapshot";
    TableName clone = TableName.valueOf(name + "Clone");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    admin.snapshot(snapshot, name);
    try {
      assertRefused(() -> admin.cloneSnapshot(snapshot, clone, false, "FILE"));
      assertFalse(admin.tableExists(clone));
      admin.cloneSnapshot(snapshot, clone, false, "DEFAULT");
      try (var cloned = connection.getTable(clone);
          var rows = cloned.getScanner(new Scan())) {
        assertEquals("a", Bytes.toString(rows.next().getRow()));
      }
      admin.disableTable(clone);
      admin.deleteTable(clone);
    } finally {
      admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshot)));
    }
  }
}

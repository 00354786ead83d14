package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Keys of the server of which a table has values of its own. */
class TableValuesTest extends CompatTest {
  private static final long FAR_FUTURE = 1L << 60;

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of();
  }

  private void create(String key, String value) throws Exception {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setValue(key, value)
            .build());
  }

  @Test
  void theLargestCell() throws Exception {
    create("hbase.server.keyvalue.maxsize", "1000");
    table.put(new Put(b("a")).addColumn(F, b("q"), new byte[100]));
    Put large = new Put(b("b")).addColumn(F, b("q"), new byte[2000]);
    assertThrows(DoNotRetryIOException.class, () -> table.put(large));
    assertEquals("a", rows(new Scan()));
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
            .setValue("hbase.server.keyvalue.maxsize", "0")
            .build());
    table.put(large);
    assertEquals("a b", rows(new Scan()));
  }

  @Test
  void theLargestRow() throws Exception {
    create("hbase.table.max.rowsize", "1000");
    table.put(new Put(b("a")).addColumn(F, b("q"), new byte[100]));
    Put large = new Put(b("b"));
    for (String column : List.of("q", "r", "s")) {
      large.addColumn(F, b(column), new byte[500]);
    }
    table.put(large);
    assertEquals(1, table.get(new Get(b("a"))).size());
    assertEquals(1, table.get(new Get(b("b")).addColumn(F, b("q"))).size());
    assertThrows(RowTooBigException.class, () -> table.get(new Get(b("b"))));
  }

  @Test
  void theLatestTimestamp() throws Exception {
    create("hbase.hregion.keyvalue.timestamp.slop.millisecs", "60000");
    table.put(new Put(b("a")).addColumn(F, b("q"), b("v")));
    assertThrows(
        DoNotRetryIOException.class,
        () -> table.put(new Put(b("b")).addColumn(F, b("q"), FAR_FUTURE, b("v"))));
    assertEquals("a", rows(new Scan()));
  }
}

package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tables that split by themselves, and one that must not. */
class AutomaticSplitTest extends CompatTest {
  private static final long MB = 1 << 20;

  private final List<Growing> made = new ArrayList<>();

  @Override
  List<ColumnFamilyDescriptor> families() {
    return List.of();
  }

  /** A table with a low limit, filled in the order of its rows. */
  private final class Growing {
    private static final int VALUE_BYTES = 4096;

    private final TableName name;
    private final Random random = new Random(7);
    private int rows;

    Growing(String suffix, boolean splits) throws IOException {
      name = TableName.valueOf(AutomaticSplitTest.this.name.getNameAsString() + suffix);
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .setMaxFileSize(2 * MB)
              .setMemStoreFlushSize(MB)
              .setSplitEnabled(splits)
              .build());
      made.add(this);
    }

    private byte[] row(int number) {
      return b(String.format("row%06d", number));
    }

    int regions() throws IOException {
      return admin.getRegions(name).size();
    }

    /** One MB of values that no compression makes smaller. */
    void grow() throws IOException {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < MB / VALUE_BYTES; i++) {
        byte[] value = new byte[VALUE_BYTES];
        random.nextBytes(value);
        puts.add(new Put(row(rows++)).addColumn(F, Q, value));
      }
      try (Table table = connection.getTable(name)) {
        table.put(puts);
      }
      admin.flush(name);
    }

    void growTo(int regions) throws Exception {
      while (regions() < regions) {
        grow();
        Thread.sleep(200);
      }
    }

    void assertEveryRowIsThere() throws IOException {
      int seen = 0;
      try (Table table = connection.getTable(name);
          ResultScanner scanner = table.getScanner(new Scan().setCaching(100))) {
        for (Result result : scanner) {
          assertEquals(Bytes.toString(row(seen++)), Bytes.toString(result.getRow()));
        }
      }
      assertEquals(rows, seen);
    }
  }

  @AfterEach
  void dropTables() throws IOException {
    for (Growing table : made) {
      admin.disableTable(table.name);
      admin.deleteTable(table.name);
    }
  }

  @Test
  void aTableThatGrowsSplitsAgainAndAgain() throws Exception {
    Growing table = new Growing("", true);
    table.growTo(3);
    table.assertEveryRowIsThere();
  }

  /** The second table shows that the server had the time to split the first. */
  @Test
  void aTableWithSplitsSwitchedOffStaysWhole() throws Exception {
    Growing whole = new Growing("Whole", false);
    for (int i = 0; i < 8; i++) {
      whole.grow();
    }
    Growing split = new Growing("Split", true);
    split.growTo(2);
    assertEquals(1, whole.regions());
    whole.assertEveryRowIsThere();
    split.assertEveryRowIsThere();
  }
}

package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.grampus.perf.pe.chance.Chance;
import org.grampus.perf.pe.key.RowKey;
import org.grampus.perf.pe.value.CellValues;

/** Makes the put of a row. For one thread. */
final class RowPuts {
  /** As HBase's class. */
  private static final int TAG_LENGTH = 256;

  private final Columns columns;
  private final CellValues values;
  private final int tags;
  private final Durability durability;
  private final Chance tagChance;

  RowPuts(TestClient client) {
    this.columns = Columns.of(client.options());
    this.values = client.values();
    this.tags = client.options().values().tags();
    this.durability = durability(client);
    this.tagChance = new Chance(client.options().values().seed()).of(TAG_LENGTH);
  }

  /** How a client's writes are logged. */
  static Durability durability(TestClient client) {
    return client.options().writes().writeToWal() ? Durability.SYNC_WAL : Durability.SKIP_WAL;
  }

  Put put(long row) throws IOException {
    byte[] key = RowKey.of(row);
    Put put = new Put(key);
    byte[][] families = columns.families();
    byte[][] qualifiers = columns.qualifiers();
    for (int family = 0; family < families.length; family++) {
      for (int column = 0; column < qualifiers.length; column++) {
        byte[] value = values.value(row, family, column);
        if (tags == 0) {
          put.addColumn(families[family], qualifiers[column], value);
        } else {
          put.add(
              new KeyValue(
                  key,
                  families[family],
                  qualifiers[column],
                  HConstants.LATEST_TIMESTAMP,
                  value,
                  tags(row)));
        }
      }
    }
    return put.setDurability(durability);
  }

  private Tag[] tags(long row) {
    byte[] bytes = new byte[TAG_LENGTH];
    SplittableRandom numbers = tagChance.of(row).numbers();
    numbers.nextBytes(bytes);
    Tag[] all = new Tag[tags];
    for (int i = 0; i < tags; i++) {
      all[i] = new ArrayBackedTag((byte) i, bytes);
    }
    return all;
  }
}

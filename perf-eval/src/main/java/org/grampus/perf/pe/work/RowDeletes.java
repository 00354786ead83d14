package org.grampus.perf.pe.work;

import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.grampus.perf.pe.key.RowKey;

/** Makes the delete of a row: all of its families. For one thread. */
final class RowDeletes {
  private final Columns columns;
  private final Durability durability;

  RowDeletes(TestClient client) {
    this.columns = Columns.of(client.options());
    this.durability = RowPuts.durability(client);
  }

  Delete delete(long row) {
    Delete delete = new Delete(RowKey.of(row));
    for (byte[] family : columns.families()) {
      delete.addFamily(family);
    }
    return delete.setDurability(durability);
  }
}

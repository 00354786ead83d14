package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What a table has before it moves: keys, versions, markers and timestamps of every kind. The
 * application leaves them alone.
 */
final class FirstRows {
  private static final int PLAIN_ROWS = 2000;
  private static final int LONG_KEY_BYTES = 1000;
  private static final int MARKER_KINDS = 6;
  private static final byte FF = (byte) 0xFF;
  private static final byte[] EMPTY = {};
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] BINARY = {0, FF};

  /** No pass with an end takes it. */
  private static final long YEAR_2100 = 4_102_444_800_000L;

  private final Table table;
  private final long now;

  /**
   * Of a table without rows.
   *
   * @param now in ms
   */
  FirstRows(Table table, long now) {
    this.table = table;
    this.now = now;
  }

  /** Writes them all. */
  void write() throws IOException {
    List<Put> plain = new ArrayList<>();
    for (int i = 0; i < PLAIN_ROWS; i++) {
      byte[] row = Bytes.add(new byte[] {(byte) i}, Bytes.toBytes("plain" + i));
      plain.add(new Put(row).addColumn(TableShape.F, Q, 1, Bytes.toBytes(i)));
    }
    table.put(plain);
    List<byte[]> keys = keys();
    for (int i = 0; i < keys.size(); i++) {
      table.put(puts(keys.get(i)));
      mark(keys.get(i), i % MARKER_KINDS);
    }
    table.delete(new Delete(Bytes.toBytes("markers alone"), 5));
  }

  private static List<byte[]> keys() {
    byte[] longest = new byte[LONG_KEY_BYTES];
    Arrays.fill(longest, FF);
    return List.of(
        new byte[] {0},
        new byte[] {0, 0},
        new byte[] {0, FF},
        new byte[] {0x3F, FF},
        new byte[] {0x40},
        Bytes.toBytes("text"),
        new byte[] {(byte) 0x80},
        new byte[] {(byte) 0x80, 0},
        new byte[] {(byte) 0x80, 0, 0},
        new byte[] {FF},
        new byte[] {FF, (byte) 0xFE},
        new byte[] {FF, (byte) 0xFE, FF},
        new byte[] {FF, FF},
        longest);
  }

  /** More versions than the families keep, which a scan that is not raw does not return. */
  private List<Put> puts(byte[] row) throws IOException {
    Put put = new Put(row);
    for (long time = 100; time <= 700; time += 100) {
      put.addColumn(TableShape.F, Q, time, Bytes.toBytes(time));
      put.addColumn(TableShape.G, Q, time, Bytes.toBytes(time));
    }
    put.addColumn(TableShape.F, EMPTY, 10, EMPTY);
    put.addColumn(TableShape.F, BINARY, 0, BINARY);
    put.addColumn(TableShape.F, Bytes.toBytes("tomorrow"), YEAR_2100, Q);
    put.addColumn(TableShape.H, Q, now - TimeUnit.HOURS.toMillis(1), Q);
    put.addColumn(TableShape.H, Bytes.toBytes("expired"), 1000, Q);
    return List.of(put);
  }

  private void mark(byte[] row, int kind) throws IOException {
    Delete delete = new Delete(row);
    switch (kind) {
      case 1 -> delete.addColumn(TableShape.F, Q, 600);
      case 2 -> delete.addColumns(TableShape.G, Q, 300).addColumn(TableShape.G, Q, 550);
      case 3 -> delete.addFamily(TableShape.G, 250).addFamily(TableShape.F, 50);
      case 4 -> delete.addFamilyVersion(TableShape.G, 700).addFamilyVersion(TableShape.F, 10);
      case 5 -> delete.addColumns(TableShape.F, BINARY, 0).addColumn(TableShape.F, EMPTY, 10);
      default -> {
        return;
      }
    }
    table.delete(delete);
    if (kind == 4) {
      table.delete(new Delete(row, 150));
    }
  }
}

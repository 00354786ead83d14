package org.grampus.perf.migration;

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
 * What a table has before it migrates: keys, versions, markers and timestamps of every kind. The
 * application leaves them alone.
 */
final class FirstRows {
  private static final int PLAIN_ROWS = 2000;
  private static final int LONG_KEY_BYTES = 1000;
  private static final byte FF = (byte) 0xFF;
  private static final byte[] EMPTY = {};
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] BINARY = {0, FF};

  /** Only the last pass, which has no end, copies a cell with this timestamp. */
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
    writePlainRows();
    writeKeysOfAllKinds();
    table.delete(new Delete(Bytes.toBytes("markers alone"), 5));
  }

  private void writePlainRows() throws IOException {
    List<Put> plain = new ArrayList<>();
    for (int i = 0; i < PLAIN_ROWS; i++) {
      byte[] row = Bytes.add(new byte[] {(byte) i}, Bytes.toBytes("plain" + i));
      plain.add(new Put(row).addColumn(TableShape.F, Q, 1, Bytes.toBytes(i)));
    }
    table.put(plain);
  }

  /** The markers take turns, so that each is in several regions. */
  private void writeKeysOfAllKinds() throws IOException {
    List<byte[]> keys = keys();
    Marked[] marked = Marked.values();
    for (int i = 0; i < keys.size(); i++) {
      table.put(versions(keys.get(i)));
      List<Delete> deletes = marked[i % marked.length].deletes(keys.get(i));
      if (!deletes.isEmpty()) {
        table.delete(new ArrayList<>(deletes));
      }
    }
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
  private Put versions(byte[] row) {
    Put put = new Put(row);
    for (long time = 100; time <= 700; time += 100) {
      put.addColumn(TableShape.F, Q, time, Bytes.toBytes(time));
      put.addColumn(TableShape.G, Q, time, Bytes.toBytes(time));
    }
    put.addColumn(TableShape.F, EMPTY, 10, EMPTY);
    put.addColumn(TableShape.F, BINARY, 0, BINARY);
    put.addColumn(TableShape.F, Bytes.toBytes("future"), YEAR_2100, Q);
    put.addColumn(TableShape.H, Q, now - TimeUnit.HOURS.toMillis(1), Q);
    put.addColumn(TableShape.H, Bytes.toBytes("expired"), 1000, Q);
    return put;
  }

  /** What is deleted of a row. */
  private enum Marked {
    NOTHING {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of();
      }
    },
    VERSION {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of(new Delete(row).addColumn(TableShape.F, Q, 600));
      }
    },
    COLUMN {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of(
            new Delete(row)
                .addColumns(TableShape.G, Q, 300)
                .addColumn(TableShape.G, Q, 550)
                .addColumns(TableShape.F, BINARY, 0)
                .addColumn(TableShape.F, EMPTY, 10));
      }
    },
    FAMILY {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of(new Delete(row).addFamily(TableShape.G, 250).addFamily(TableShape.F, 50));
      }
    },
    FAMILY_VERSION {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of(
            new Delete(row).addFamilyVersion(TableShape.G, 700).addFamilyVersion(TableShape.F, 10));
      }
    },
    ROW {
      @Override
      List<Delete> deletes(byte[] row) {
        return List.of(new Delete(row, 150));
      }
    };

    abstract List<Delete> deletes(byte[] row);
  }
}

package org.grampus.perf.moving;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class ApplicationRowsTest {
  private static final int TURNS = 10_000;

  /** The newest values of a table. */
  private final Map<String, Long> values = new TreeMap<>();

  private long pastPuts;

  private final Table table =
      (Table)
          Proxy.newProxyInstance(
              Table.class.getClassLoader(),
              new Class<?>[] {Table.class},
              (proxy, method, arguments) -> apply(arguments[0]));

  private Object apply(Object mutation) {
    if (mutation instanceof Put put) {
      cells(put).forEach(this::put);
    } else if (mutation instanceof Delete delete) {
      delete(delete);
    } else if (mutation instanceof Increment increment) {
      return increment(cells(increment).get(0));
    } else {
      throw new IllegalArgumentException(String.valueOf(mutation));
    }
    return null;
  }

  private static List<Cell> cells(Mutation mutation) {
    return mutation.getFamilyCellMap().values().stream().flatMap(List::stream).toList();
  }

  private void put(Cell cell) {
    values.put(name(cell), Bytes.toLong(CellUtil.cloneValue(cell)));
    if (cell.getTimestamp() != HConstants.LATEST_TIMESTAMP) {
      pastPuts++;
    }
  }

  private void delete(Delete delete) {
    if (delete.isEmpty()) {
      String row = Bytes.toStringBinary(delete.getRow()) + "/";
      values.keySet().removeIf(name -> name.startsWith(row));
    }
    for (Cell cell : cells(delete)) {
      String name = name(cell);
      values
          .keySet()
          .removeIf(
              other ->
                  cell.getType() == Cell.Type.DeleteFamily
                      ? other.startsWith(name)
                      : other.equals(name));
    }
  }

  private Result increment(Cell cell) {
    long count = values.merge(name(cell), 1L, Long::sum);
    return Result.create(
        List.of(
            new KeyValue(
                CellUtil.cloneRow(cell),
                CellUtil.cloneFamily(cell),
                CellUtil.cloneQualifier(cell),
                Bytes.toBytes(count))));
  }

  private static String name(Cell cell) {
    return Bytes.toStringBinary(CellUtil.cloneRow(cell))
        + "/"
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell));
  }

  private ApplicationRows written(MovingTable moving) throws Exception {
    ApplicationRows rows = new ApplicationRows(moving, new Random(1));
    for (int turn = 0; turn < TURNS; turn++) {
      rows.writeNext(table);
    }
    return rows;
  }

  @Test
  void whatIsKnownIsWhatATableHas() throws Exception {
    ApplicationRows rows = written(MovingTable.REPAIRED);
    assertDoesNotThrow(() -> rows.requireKnown("a table", values));
  }

  @Test
  void aLostValueIsMissed() throws Exception {
    ApplicationRows rows = written(MovingTable.EXPORTED);
    values.remove(values.keySet().iterator().next());
    assertThrows(ToolException.class, () -> rows.requireKnown("a table", values));
  }

  @Test
  void oneTableAloneIsWrittenInThePast() throws Exception {
    written(MovingTable.COPIED);
    assertEquals(0, pastPuts);
    values.clear();
    written(MovingTable.REPAIRED);
    assertNotEquals(0, pastPuts);
  }
}

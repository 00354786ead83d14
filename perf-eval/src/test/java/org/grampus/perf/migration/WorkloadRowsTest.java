package org.grampus.perf.migration;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
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
import org.grampus.perf.process.TableDump;
import org.junit.jupiter.api.Test;

final class WorkloadRowsTest {
  private static final int TURNS = 10_000;

  /** The values of a table, the newest first. */
  private final Map<String, Deque<Long>> values = new TreeMap<>();

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
    put(TableDump.column(cell), Bytes.toLong(CellUtil.cloneValue(cell)));
    if (cell.getTimestamp() != HConstants.LATEST_TIMESTAMP) {
      pastPuts++;
    }
  }

  private void put(String column, long value) {
    values.computeIfAbsent(column, none -> new ArrayDeque<>()).push(value);
  }

  private void delete(Delete delete) {
    if (delete.isEmpty()) {
      deleteAll(Bytes.toStringBinary(delete.getRow()) + "/");
    }
    for (Cell cell : cells(delete)) {
      if (cell.getType() == Cell.Type.Delete) {
        values.get(TableDump.column(cell)).pop();
      } else {
        deleteAll(TableDump.column(cell));
      }
    }
  }

  private void deleteAll(String columns) {
    values.keySet().removeIf(column -> column.startsWith(columns));
  }

  private Result increment(Cell cell) {
    String column = TableDump.column(cell);
    long count = newest().getOrDefault(column, 0L) + 1;
    put(column, count);
    return Result.create(
        List.of(
            new KeyValue(
                CellUtil.cloneRow(cell),
                CellUtil.cloneFamily(cell),
                CellUtil.cloneQualifier(cell),
                Bytes.toBytes(count))));
  }

  private Map<String, Long> newest() {
    Map<String, Long> newest = new TreeMap<>();
    values.forEach((column, all) -> newest.put(column, all.element()));
    return newest;
  }

  private WorkloadRows written(MigratedTable migrated) throws Exception {
    WorkloadRows rows = new WorkloadRows(migrated, new Random(1));
    for (int turn = 0; turn < TURNS; turn++) {
      rows.writeNext(table);
    }
    return rows;
  }

  @Test
  void whatIsKnownIsWhatATableHas() throws Exception {
    WorkloadRows rows = written(MigratedTable.BY_SNAPSHOT);
    assertDoesNotThrow(() -> rows.requireKnown("a table", newest()));
  }

  @Test
  void aLostValueIsMissed() throws Exception {
    WorkloadRows rows = written(MigratedTable.BY_EXPORT);
    values.remove(values.keySet().iterator().next());
    assertThrows(ToolException.class, () -> rows.requireKnown("a table", newest()));
  }

  @Test
  void oneTableAloneIsWrittenInThePast() throws Exception {
    written(MigratedTable.BY_COPY);
    assertEquals(0, pastPuts);
    values.clear();
    written(MigratedTable.BY_SNAPSHOT);
    assertNotEquals(0, pastPuts);
  }

  @Test
  void aColumnOfThePastHasMoreVersionsThanItsFamilyKeeps() throws Exception {
    written(MigratedTable.BY_SNAPSHOT);
    assertTrue(
        values.entrySet().stream()
            .filter(value -> value.getKey().endsWith(":past"))
            .anyMatch(value -> value.getValue().size() > TableShape.F_VERSIONS));
  }

  @Test
  void rowsOfOthersAreTold() {
    assertTrue(WorkloadRows.isOfOthers(in("\u0001plain1")));
    assertTrue(WorkloadRows.isOfOthers(in("")));
    assertFalse(WorkloadRows.isOfOthers(in("\u0001app")));
    assertFalse(WorkloadRows.isOfOthers(in("\u0001past")));
    assertTrue(WorkloadRows.isPast(in("\u0001past")));
    assertFalse(WorkloadRows.isPast(in("\u0001app")));
  }

  private static Cell in(String row) {
    return new KeyValue(Bytes.toBytes(row), TableShape.F, new byte[0], new byte[0]);
  }
}

package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class AtomicOperationsTest extends CompatTest {
  @Test
  void incrementsAddUpAndReturnTheNewValue() throws Exception {
    assertEquals(5, table.incrementColumnValue(b("r"), F, Q, 5));
    assertEquals(3, table.incrementColumnValue(b("r"), F, Q, -2));
    Result result =
        table.increment(new Increment(b("r")).addColumn(F, Q, 1).addColumn(G, b("c"), 7));
    assertEquals(4, Bytes.toLong(result.getValue(F, Q)));
    assertEquals(7, Bytes.toLong(result.getValue(G, b("c"))));
    assertEquals(4, Bytes.toLong(table.get(new Get(b("r"))).getValue(F, Q)));
    assertTrue(
        table
            .increment(new Increment(b("r")).addColumn(F, Q, 1).setReturnResults(false))
            .isEmpty());
  }

  @Test
  void anIncrementOfSomethingElseIsRefused() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, b("text")));
    DoNotRetryIOException error =
        assertThrows(
            DoNotRetryIOException.class, () -> table.incrementColumnValue(b("r"), F, Q, 1));
    assertTrue(
        error.getMessage().contains("Field is not a long, it's 4 bytes wide"), error.getMessage());
  }

  @Test
  void anIncrementOverflowsSilently() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, Bytes.toBytes(Long.MAX_VALUE)));
    assertEquals(Long.MIN_VALUE, table.incrementColumnValue(b("r"), F, Q, 1));
  }

  @Test
  void concurrentIncrementsLoseNothing() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        running.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    table.incrementColumnValue(b("r"), F, Q, 1);
                  }
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertEquals(400, Bytes.toLong(table.get(new Get(b("r"))).getValue(F, Q)));
  }

  @Test
  void appendsConcatenate() throws Exception {
    table.append(new Append(b("r")).addColumn(F, Q, b("ab")));
    Result result = table.append(new Append(b("r")).addColumn(F, Q, b("cd")));
    assertEquals("abcd", Bytes.toString(result.getValue(F, Q)));
    assertEquals("abcd", Bytes.toString(table.get(new Get(b("r"))).getValue(F, Q)));
  }

  @Test
  void checkAndMutateComparesTheGivenValueWithTheStoredOne() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, b("m")));
    Put put = new Put(b("r")).addColumn(F, b("done"), b("x"));
    assertTrue(check(CompareOperator.EQUAL, "m", put));
    assertFalse(check(CompareOperator.EQUAL, "n", put));
    assertTrue(check(CompareOperator.NOT_EQUAL, "n", put));
    assertFalse(check(CompareOperator.NOT_EQUAL, "m", put));
    assertTrue(check(CompareOperator.LESS, "a", put));
    assertFalse(check(CompareOperator.LESS, "z", put));
    assertTrue(check(CompareOperator.GREATER, "z", put));
    assertTrue(check(CompareOperator.LESS_OR_EQUAL, "m", put));
    assertTrue(check(CompareOperator.GREATER_OR_EQUAL, "m", put));
  }

  private boolean check(CompareOperator operator, String value, Put put) throws Exception {
    return table
        .checkAndMutate(
            CheckAndMutate.newBuilder(b("r")).ifMatches(F, Q, operator, b(value)).build(put))
        .isSuccess();
  }

  @Test
  void checksOfMissingColumns() throws Exception {
    Put put = new Put(b("r")).addColumn(F, Q, b("v"));
    assertTrue(
        table
            .checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifNotExists(F, Q).build(put))
            .isSuccess());
    assertFalse(
        table
            .checkAndMutate(CheckAndMutate.newBuilder(b("r")).ifNotExists(F, Q).build(put))
            .isSuccess());
    assertFalse(
        table
            .checkAndMutate(
                CheckAndMutate.newBuilder(b("r"))
                    .ifMatches(F, b("none"), CompareOperator.NOT_EQUAL, b("x"))
                    .build(put))
            .isSuccess());
  }

  @Test
  void checksWithFiltersAndDeletes() throws Exception {
    table.put(new Put(b("r")).addColumn(F, b("a"), b("1")).addColumn(F, b("b"), b("2")));
    FilterList both =
        new FilterList(
            new SingleColumnValueFilter(F, b("a"), CompareOperator.EQUAL, b("1")),
            new SingleColumnValueFilter(F, b("b"), CompareOperator.EQUAL, b("2")));
    assertTrue(
        table
            .checkAndMutate(
                CheckAndMutate.newBuilder(b("r"))
                    .ifMatches(both)
                    .build(new Delete(b("r")).addColumns(F, b("a"))))
            .isSuccess());
    assertFalse(table.exists(new Get(b("r")).addColumn(F, b("a"))));
    assertTrue(table.exists(new Get(b("r")).addColumn(F, b("b"))));
  }

  @Test
  void checkAndIncrementReturnsTheResult() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, b("go")));
    CheckAndMutateResult result =
        table.checkAndMutate(
            CheckAndMutate.newBuilder(b("r"))
                .ifEquals(F, Q, b("go"))
                .build(new Increment(b("r")).addColumn(F, b("n"), 4)));
    assertTrue(result.isSuccess());
    assertEquals(4, Bytes.toLong(result.getResult().getValue(F, b("n"))));
    result =
        table.checkAndMutate(
            CheckAndMutate.newBuilder(b("r"))
                .ifEquals(F, Q, b("stop"))
                .build(new Increment(b("r")).addColumn(F, b("n"), 4)));
    assertFalse(result.isSuccess());
    assertNull(result.getResult());
  }

  @Test
  void rowMutationsAreAllOrNothing() throws Exception {
    table.put(new Put(b("r")).addColumn(F, b("old"), b("x")));
    table.mutateRow(
        RowMutations.of(
            List.of(
                new Put(b("r")).addColumn(F, b("new"), b("y")),
                new Delete(b("r")).addColumns(F, b("old")))));
    Result result = table.get(new Get(b("r")));
    assertEquals("y", Bytes.toString(result.getValue(F, b("new"))));
    assertNull(result.getValue(F, b("old")));
    assertThrows(
        Exception.class,
        () ->
            table.mutateRow(
                RowMutations.of(
                    List.of(
                        new Put(b("r")).addColumn(F, b("half"), b("z")),
                        new Put(b("r")).addColumn(b("nope"), Q, b("z"))))));
    assertNull(table.get(new Get(b("r"))).getValue(F, b("half")));
  }

  @Test
  void rowMutationsMixWithIncrements() throws Exception {
    Result result =
        table.mutateRow(
            RowMutations.of(
                List.of(
                    new Increment(b("r")).addColumn(F, b("n"), 2),
                    new Append(b("r")).addColumn(F, b("t"), b("ab")),
                    new Put(b("r")).addColumn(F, b("p"), b("v")))));
    assertEquals(2, Bytes.toLong(result.getValue(F, b("n"))));
    assertEquals("ab", Bytes.toString(result.getValue(F, b("t"))));
    assertEquals("v", Bytes.toString(table.get(new Get(b("r"))).getValue(F, b("p"))));
  }

  @Test
  void batchesMixEverything() throws Exception {
    table.put(new Put(b("a")).addColumn(F, Q, 1, b("1")));
    List<Row> actions =
        List.of(
            new Get(b("a")),
            new Put(b("b")).addColumn(F, Q, 1, b("2")),
            new Increment(b("c")).addColumn(F, Q, 3),
            new Append(b("d")).addColumn(F, Q, b("x")),
            new Delete(b("e")),
            RowMutations.of(List.of(new Put(b("f")).addColumn(F, Q, 1, b("6")))));
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    assertEquals("a/f:q@1=1", show((Result) results[0]));
    assertTrue(((Result) results[1]).isEmpty());
    assertEquals(3, Bytes.toLong(((Result) results[2]).getValue(F, Q)));
    assertEquals("x", Bytes.toString(((Result) results[3]).getValue(F, Q)));
    assertTrue(((Result) results[4]).isEmpty());
    assertEquals("f/f:q@1=6", show(table.get(new Get(b("f")))));
  }

  /** Results of 60 MB: a client may get them in several replies, but within its tries. */
  @Test
  void aBatchOfAppendsHasManyLargeResults() throws Exception {
    int size = 1 << 20;
    table.put(new Put(b("r")).addColumn(F, Q, new byte[size]));
    List<Append> appends = Collections.nCopies(60, new Append(b("r")).addColumn(F, Q, b("x")));
    Object[] results = new Object[appends.size()];
    table.batch(appends, results);
    List<Integer> lengths =
        Arrays.stream(results).map(r -> ((Result) r).getValue(F, Q).length).sorted().toList();
    assertEquals(IntStream.rangeClosed(size + 1, size + 60).boxed().toList(), lengths);
  }

  @Test
  void manyChecksGoInOneCall() throws Exception {
    table.put(new Put(b("a")).addColumn(F, Q, b("1")));
    List<CheckAndMutateResult> results =
        table.checkAndMutate(
            List.of(
                CheckAndMutate.newBuilder(b("a"))
                    .ifEquals(F, Q, b("1"))
                    .build(new Put(b("a")).addColumn(F, b("x"), b("y"))),
                CheckAndMutate.newBuilder(b("b"))
                    .ifEquals(F, Q, b("1"))
                    .build(new Put(b("b")).addColumn(F, b("x"), b("y")))));
    assertTrue(results.get(0).isSuccess());
    assertFalse(results.get(1).isSuccess());
  }
}

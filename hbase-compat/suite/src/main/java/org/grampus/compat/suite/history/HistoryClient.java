package org.grampus.compat.suite.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.history.Operation.Kind;
import org.grampus.compat.suite.history.Operation.Outcome;
import org.grampus.compat.suite.history.Operation.Step;

/**
 * One client's operations, one call after the other, without timestamps of its own and without the
 * client's retries: a repeated put is not linearizable, whatever the server does.
 */
final class HistoryClient implements Runnable {
  private static final String COUNTER = "f:n";
  private static final String TEXT = "f:s";
  private static final String VALUE = "g:v";
  private static final int TEXT_LENGTH_MAX = 40;
  private static final long PAUSE_AFTER_FAILURE_MILLIS = 20;

  /** An operation of a batch, its row, and the action that stands for it. */
  private record Planned(HotRows.Row row, Operation operation, Row action) {}

  private final int id;
  private final Table table;
  private final HotRows rows;
  private final Random random;
  private final Recorder recorder;
  private final AtomicBoolean stop;
  private String lastText = "";
  private String lastCount = "";
  private long puts;

  HistoryClient(
      int id, Table table, HotRows rows, long seed, Recorder recorder, AtomicBoolean stop) {
    this.id = id;
    this.table = table;
    this.rows = rows;
    this.random = new Random(seed);
    this.recorder = recorder;
    this.stop = stop;
  }

  @Override
  public void run() {
    while (!stop.get()) {
      if (random.nextInt(8) == 0) {
        batch();
      } else {
        HotRows.Row row = rows.use(random.nextInt(rows.count()));
        single(row, next(row.name()));
      }
    }
  }

  /** The next operation on a row; a put often follows a delete at once. */
  private Operation next(String row) {
    return switch (random.nextInt(12)) {
      case 0, 1 -> new Operation(row, null, null, List.of(put(COUNTER)));
      case 2 -> new Operation(row, null, null, List.of(put(VALUE)));
      case 3 -> new Operation(row, null, null, List.of(increment()));
      case 4 -> new Operation(row, null, null, List.of(append()));
      case 5 -> new Operation(row, null, null, List.of(new Step(Kind.DELETE, column(), "")));
      case 6 -> new Operation(row, null, null, List.of(new Step(Kind.DELETE_FAMILY, "f", "")));
      case 7 -> new Operation(row, null, null, List.of(put(COUNTER), put(VALUE)));
      case 8 ->
          new Operation(row, null, null, List.of(new Step(Kind.DELETE, TEXT, ""), put(VALUE)));
      case 9 -> new Operation(row, COUNTER, lastCount, List.of(put(COUNTER), put(VALUE)));
      default -> new Operation(row, null, null, List.of());
    };
  }

  private String column() {
    return List.of(COUNTER, TEXT, VALUE).get(random.nextInt(3));
  }

  private Step put(String column) {
    puts++;
    String value =
        column.equals(COUNTER) ? String.valueOf(id * 1_000_000L + puts) : id + "." + puts;
    return new Step(Kind.PUT, column, value);
  }

  private Step increment() {
    return new Step(Kind.INCREMENT, COUNTER, String.valueOf(1 + random.nextInt(9)));
  }

  private Step append() {
    return lastText.length() > TEXT_LENGTH_MAX
        ? new Step(Kind.DELETE, TEXT, "")
        : new Step(Kind.APPEND, TEXT, String.valueOf((char) ('a' + id)));
  }

  private void single(HotRows.Row row, Operation operation) {
    long start = System.nanoTime();
    try {
      Outcome outcome = run(row.key(), operation);
      record(operation, start, outcome);
    } catch (IOException | AssertionError e) { // several mutations of a row are a batch: see send
      failed(row, operation, start, e);
    }
  }

  private Outcome run(byte[] key, Operation operation) throws IOException {
    if (operation.isRead()) {
      return outcome(table.get(new Get(key)));
    }
    List<Mutation> mutations = mutations(key, operation);
    if (operation.condition() != null) {
      CheckAndMutateResult result = table.checkAndMutate(conditional(key, operation, mutations));
      return new Outcome(result.isSuccess(), Map.of());
    }
    if (mutations.size() > 1) {
      return outcome(table.mutateRow(rowMutations(key, mutations)));
    }
    Mutation only = mutations.get(0);
    if (only instanceof Put put) {
      table.put(put);
    } else if (only instanceof Delete delete) {
      table.delete(delete);
    } else if (only instanceof Increment increment) {
      return outcome(table.increment(increment));
    } else {
      return outcome(table.append((Append) only));
    }
    return new Outcome(true, Map.of());
  }

  private static CheckAndMutate conditional(
      byte[] key, Operation operation, List<Mutation> mutations) throws IOException {
    CheckAndMutate.Builder check = CheckAndMutate.newBuilder(key);
    byte[] qualifier = qualifier(operation.condition());
    if (operation.expected().isEmpty()) {
      check.ifNotExists(HotRows.F, qualifier);
    } else {
      check.ifEquals(HotRows.F, qualifier, bytes(operation.condition(), operation.expected()));
    }
    return check.build(rowMutations(key, mutations));
  }

  private static RowMutations rowMutations(byte[] key, List<Mutation> mutations)
      throws IOException {
    return new RowMutations(key).add(mutations);
  }

  private static List<Mutation> mutations(byte[] key, Operation operation) {
    List<Mutation> mutations = new ArrayList<>();
    for (Step step : operation.steps()) {
      byte[] family = family(step.column());
      mutations.add(
          switch (step.kind()) {
            case PUT ->
                new Put(key)
                    .addColumn(
                        family, qualifier(step.column()), bytes(step.column(), step.value()));
            case DELETE -> new Delete(key).addColumns(family, qualifier(step.column()));
            case DELETE_FAMILY -> new Delete(key).addFamily(family);
            case INCREMENT ->
                new Increment(key)
                    .addColumn(family, qualifier(step.column()), Long.parseLong(step.value()));
            case APPEND ->
                new Append(key)
                    .addColumn(family, qualifier(step.column()), Bytes.toBytes(step.value()));
          });
    }
    return mutations;
  }

  private static byte[] family(String column) {
    return Bytes.toBytes(column.substring(0, 1));
  }

  private static byte[] qualifier(String column) {
    return Bytes.toBytes(column.substring(2));
  }

  private static byte[] bytes(String column, String value) {
    return column.equals(COUNTER) ? Bytes.toBytes(Long.parseLong(value)) : Bytes.toBytes(value);
  }

  private Outcome outcome(Result result) {
    Map<String, String> cells = new TreeMap<>();
    Cell[] raw = result == null || result.rawCells() == null ? new Cell[0] : result.rawCells();
    for (Cell cell : raw) {
      String column =
          Bytes.toString(CellUtil.cloneFamily(cell))
              + ":"
              + Bytes.toString(CellUtil.cloneQualifier(cell));
      byte[] value = CellUtil.cloneValue(cell);
      cells.put(
          column,
          column.equals(COUNTER) ? String.valueOf(Bytes.toLong(value)) : Bytes.toString(value));
    }
    lastCount = cells.getOrDefault(COUNTER, "");
    lastText = cells.getOrDefault(TEXT, "");
    return new Outcome(true, cells);
  }

  /** Puts of one to three columns, which go into one Put. */
  private Operation puts(String row) {
    List<String> columns = new ArrayList<>(List.of(COUNTER, TEXT, VALUE));
    Collections.shuffle(columns, random);
    return new Operation(
        row,
        null,
        null,
        columns.subList(0, 1 + random.nextInt(columns.size())).stream().map(this::put).toList());
  }

  /**
   * What a batch can hold as one action, or null. Puts of several columns are of one timestamp, as
   * the columns of a row are that a client reads together.
   */
  private static Row action(byte[] key, Operation operation) {
    if (operation.isRead()) {
      return new Get(key);
    }
    if (operation.condition() != null) {
      return null;
    }
    if (operation.steps().stream().allMatch(step -> step.kind() == Kind.PUT)) {
      Put all = new Put(key);
      for (Step step : operation.steps()) {
        all.addColumn(
            family(step.column()), qualifier(step.column()), bytes(step.column(), step.value()));
      }
      return all;
    }
    List<Mutation> mutations = mutations(key, operation);
    return mutations.size() == 1 ? mutations.get(0) : null;
  }

  /**
   * Operations on several rows in one call: each stands for itself and lasts as long as all. Half
   * of the batches have puts alone, which servers let run beside each other.
   */
  private void batch() {
    List<Planned> batch = plan();
    if (batch.isEmpty()) {
      return;
    }
    Object[] results = new Object[batch.size()];
    long start = System.nanoTime();
    IOException failure = send(batch.stream().map(Planned::action).toList(), results);
    for (int i = 0; i < results.length; i++) {
      note(batch.get(i), results[i], start, failure);
    }
  }

  private List<Planned> plan() {
    List<Planned> batch = new ArrayList<>();
    boolean putsAlone = random.nextBoolean();
    for (int place = 0; place < rows.count(); place++) {
      HotRows.Row row = rows.use(place);
      Operation operation = putsAlone ? puts(row.name()) : next(row.name());
      Row action = action(row.key(), operation);
      if (action != null) {
        batch.add(new Planned(row, operation, action));
      }
    }
    return batch;
  }

  /** Sends a batch. Returns why some of its actions may have no result; null when all have one. */
  private IOException send(List<Row> actions, Object[] results) {
    try {
      table.batch(actions, results);
      return null;
    } catch (IOException e) {
      return e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return new IOException(e);
    } catch (AssertionError e) {
      // HBase's client counts actions twice whose time is over before it knows their region.
      return new IOException(e);
    }
  }

  /** Records what became of one action: its own result, or the failure of its batch. */
  private void note(Planned planned, Object own, long start, IOException failure) {
    Operation operation = planned.operation();
    if (own instanceof Result result) {
      Kind kind = operation.isRead() ? null : operation.steps().get(0).kind();
      boolean answers = kind == null || kind == Kind.INCREMENT || kind == Kind.APPEND;
      record(operation, start, answers ? outcome(result) : new Outcome(true, Map.of()));
    } else {
      Throwable why = own instanceof Throwable thrown ? thrown : failure;
      failed(planned.row(), operation, start, why);
    }
  }

  private void record(Operation operation, long start, Outcome outcome) {
    recorder.add(operation.json(id, start, System.nanoTime(), outcome), true);
  }

  private void failed(HotRows.Row row, Operation operation, long start, Throwable why) {
    if (!operation.isRead() && !Failures.isNotDone(why)) {
      row.countUnknown();
      recorder.add(operation.json(id, start, 0, null), false);
    }
    try {
      Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

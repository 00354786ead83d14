package org.grampus.compat.suite.kill;

import java.io.IOException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.Violations;

/**
 * One thread's work: puts and deletes on its own rows, reads of them, increments of its counter,
 * conditional puts up its ladder. Failures that outlive the client's retries leave a doubt behind;
 * everything else must be as acknowledged.
 */
final class Writer implements Runnable {
  private static final int KEYS = 400;
  private static final int PADDING_BYTES = 700;

  private final int id;
  private final Table table;
  private final Random random;
  private final AtomicBoolean stop;
  private final AtomicLong operations;
  private final Violations violations;
  private final KeyState[] rows = new KeyState[KEYS];
  private long version;
  private long counted;
  private long countDoubts;
  private long step;
  private boolean stepInDoubt;

  Writer(
      int id,
      Table table,
      long seed,
      AtomicBoolean stop,
      AtomicLong operations,
      Violations violations) {
    this.id = id;
    this.table = table;
    this.random = new Random(seed);
    this.stop = stop;
    this.operations = operations;
    this.violations = violations;
    for (int key = 0; key < KEYS; key++) {
      rows[key] = new KeyState();
    }
  }

  @Override
  public void run() {
    while (!stop.get()) {
      int dice = random.nextInt(12);
      if (dice < 6) {
        put();
      } else if (dice < 7) {
        delete();
      } else if (dice < 9) {
        increment();
      } else if (dice < 10) {
        climb();
      } else {
        verifyAny();
      }
      operations.incrementAndGet();
    }
  }

  /** A row that is lost must not be written once more before it is missed. */
  private void verifyAny() {
    try {
      verifyRow(random.nextInt(KEYS));
    } catch (IOException e) {
      // the server is away for longer than the client tries; the row is verified later
      return;
    }
  }

  private void put() {
    int key = random.nextInt(KEYS);
    long value = ++version;
    byte[] bytes = Bytes.toBytes(value);
    Put put =
        new Put(Schema.row(id, key))
            .addColumn(Schema.F, Schema.A, value, bytes)
            .addColumn(Schema.F, Schema.PADDING, value, new byte[PADDING_BYTES])
            .addColumn(Schema.G, Schema.B, value, bytes);
    try {
      table.put(put);
      rows[key].written(value);
    } catch (IOException e) {
      rows[key].doubt(value);
    }
  }

  private void delete() {
    int key = random.nextInt(KEYS);
    try {
      table.delete(new Delete(Schema.row(id, key), ++version));
      rows[key].deleted();
    } catch (IOException e) {
      rows[key].doubt(KeyState.ABSENT);
    }
  }

  /**
   * The client repeats a lost increment with its nonce, so an acknowledged one counts exactly once.
   */
  private void increment() {
    try {
      Result result =
          table.increment(new Increment(Schema.counter(id)).addColumn(Schema.F, Schema.COUNT, 1));
      long value = Bytes.toLong(result.getValue(Schema.F, Schema.COUNT));
      counted++;
      if (value < counted || value > counted + countDoubts) {
        violations.add(
            "counter "
                + id
                + " answered "
                + value
                + ", acknowledged "
                + counted
                + ", in doubt "
                + countDoubts);
      }
      countDoubts -= Math.max(0, value - counted);
      counted = Math.max(counted, value);
    } catch (IOException e) {
      countDoubts++;
    }
  }

  /**
   * A conditional put from one step to the next. The client's own repeat of a lost reply finds the
   * condition false, which a read tells apart.
   */
  private void climb() {
    try {
      if (stepInDoubt) {
        lookAtStep(step, step + 1);
      }
      byte[] row = Schema.ladder(id);
      Put put = new Put(row).addColumn(Schema.F, Schema.STEP, Bytes.toBytes(step + 1));
      CheckAndMutate.Builder check = CheckAndMutate.newBuilder(row);
      CheckAndMutate conditional =
          (step == 0
                  ? check.ifNotExists(Schema.F, Schema.STEP)
                  : check.ifEquals(Schema.F, Schema.STEP, Bytes.toBytes(step)))
              .build(put);
      if (table.checkAndMutate(conditional).isSuccess()) {
        step++;
      } else {
        lookAtStep(step + 1, step + 1);
      }
    } catch (IOException e) {
      stepInDoubt = true;
    }
  }

  private void lookAtStep(long low, long high) throws IOException {
    long seen = stepOf(table.get(new Get(Schema.ladder(id))));
    if (seen < low || seen > high) {
      violations.add("ladder " + id + " is at " + seen + ", expected " + low + " to " + high);
    }
    step = seen;
    stepInDoubt = false;
  }

  private static long stepOf(Result result) {
    return result.isEmpty() ? 0 : Bytes.toLong(result.getValue(Schema.F, Schema.STEP));
  }

  /** Compares the table with what this writer remembers; returns the number of rows compared. */
  int verify() throws IOException {
    for (int key = 0; key < KEYS; key++) {
      verifyRow(key);
    }
    Result counter = table.get(new Get(Schema.counter(id)));
    long value = counter.isEmpty() ? 0 : Bytes.toLong(counter.getValue(Schema.F, Schema.COUNT));
    if (value < counted || value > counted + countDoubts) {
      violations.add(
          "counter "
              + id
              + " holds "
              + value
              + ", acknowledged "
              + counted
              + ", in doubt "
              + countDoubts);
    }
    lookAtStep(step, stepInDoubt ? step + 1 : step);
    return KEYS + 2;
  }

  private void verifyRow(int key) throws IOException {
    Result result = table.get(new Get(Schema.row(id, key)));
    long seen = KeyState.ABSENT;
    if (!result.isEmpty()) {
      byte[] a = result.getValue(Schema.F, Schema.A);
      byte[] b = result.getValue(Schema.G, Schema.B);
      byte[] padding = result.getValue(Schema.F, Schema.PADDING);
      if (a == null || b == null || padding == null || Bytes.toLong(a) != Bytes.toLong(b)) {
        violations.add("row " + Bytes.toString(result.getRow()) + " holds half a put: " + result);
        return;
      }
      seen = Bytes.toLong(a);
    }
    if (!rows[key].allows(seen)) {
      violations.add(
          "row "
              + Bytes.toString(Schema.row(id, key))
              + " holds version "
              + seen
              + ": "
              + rows[key]);
    }
  }
}

package org.grampus.compat.suite.snapshot;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.compat.suite.Violations;

/** Writes its numbers one after the other until told to stop. One thread. */
final class LoopWriter implements Runnable {
  private final int id;
  private final LoopTable schema;
  private final Table table;
  private final Ledger ledger;
  private final AtomicBoolean stop;
  private final Violations violations;

  LoopWriter(
      int id,
      LoopTable schema,
      Table table,
      Ledger ledger,
      AtomicBoolean stop,
      Violations violations) {
    this.id = id;
    this.schema = schema;
    this.table = table;
    this.ledger = ledger;
    this.stop = stop;
    this.violations = violations;
  }

  @Override
  public void run() {
    try (table) {
      while (!stop.get()) {
        long number = ledger.send();
        table.put(schema.put(id, ledger.rowOf(number), number));
        ledger.acknowledge(number);
      }
    } catch (IOException e) {
      violations.add("writer " + id + " ended: " + e);
    }
  }
}

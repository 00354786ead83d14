package org.grampus.spark.read;

import java.io.IOException;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.grampus.engine.NativeArrowStruct;
import org.grampus.mapreduce.columns.SplitBatches;
import org.grampus.spark.mapping.Field;

/** The batches of a split of a snapshot, in the memory of the engine that has made them. */
final class NativeReader implements PartitionReader<ColumnarBatch> {
  private final SplitBatches batches;
  private final Field[] fields;
  private final int[] places;
  private NativeArrowStruct held;
  private ColumnarBatch current;

  /**
   * A reader that has read nothing.
   *
   * @param batches become the reader's, which closes them
   * @param fields that are wanted
   * @param places of each of them in a batch
   */
  NativeReader(SplitBatches batches, Field[] fields, int[] places) {
    this.batches = batches;
    this.fields = fields;
    this.places = places;
  }

  /** Ends the reading of a task that is not wanted any more. */
  static void requireTask() {
    TaskContext task = TaskContext.get();
    if (task != null && task.isInterrupted()) {
      throw new TaskKilledException("the task is not wanted any more");
    }
  }

  @Override
  public boolean next() throws IOException {
    free();
    held = batches.next();
    if (held == null) {
      return false;
    }
    ArrowLayout batch = new ArrowLayout(held.address());
    ColumnVector[] columns = new ColumnVector[fields.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new ArrowColumn(fields[i], batch.child(places[i]));
    }
    current = new ColumnarBatch(columns, batch.length());
    return true;
  }

  @Override
  public ColumnarBatch get() {
    return current;
  }

  /** A batch is Spark's until the next one is asked for. */
  private void free() {
    current = null;
    if (held != null) {
      held.close();
      held = null;
    }
  }

  @Override
  public void close() throws IOException {
    try (batches) {
      free();
    }
  }
}

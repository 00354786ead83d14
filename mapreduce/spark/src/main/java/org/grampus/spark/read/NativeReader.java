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

/**
 * The batches of a split of a snapshot, in the memory of the engine that has made them. One thread
 * reads, and any thread may close it: that of a task does, while another one writes the rows to a
 * Python process.
 */
final class NativeReader implements PartitionReader<ColumnarBatch> {
  private final SplitBatches batches;
  private final Field[] fields;
  private final int[] places;
  private BatchMemory held;
  private ColumnarBatch current;
  private boolean closed;

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
  public synchronized boolean next() throws IOException {
    if (closed) {
      throw new IOException("the reader is closed, and its task has ended");
    }
    free();
    NativeArrowStruct read = batches.next();
    if (read == null) {
      return false;
    }
    held = new BatchMemory(read::close);
    ArrowLayout batch = new ArrowLayout(read.address());
    ColumnVector[] columns = new ColumnVector[fields.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new ArrowColumn(fields[i], batch.child(places[i]), held);
    }
    current = new ColumnarBatch(columns, batch.length());
    return true;
  }

  @Override
  public synchronized ColumnarBatch get() {
    return current;
  }

  /** A batch is Spark's until the next one is asked for. */
  private void free() {
    current = null;
    if (held != null) {
      held.free();
      held = null;
    }
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    try (batches) {
      free();
    }
  }
}

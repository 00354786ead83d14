package org.grampus.mapreduce.columns;

import java.io.IOException;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.settings.ReaderKind;
import org.grampus.mapreduce.settings.ScanSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands the batches of a split to a task, each in the place of the one before. One thread. */
final class BatchReader extends RecordReader<NullWritable, VectorSchemaRoot> {
  private static final Logger LOG = LoggerFactory.getLogger(BatchReader.class);

  private ReadCounters counters;
  private BufferAllocator allocator;
  private SplitBatches batches;
  private ArrowBatches reader;
  private VectorSchemaRoot current;
  private boolean ended;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    Configuration conf = BatchInputFormat.ofTask(context.getConfiguration());
    ScanSettings settings = ScanSettings.of(conf, ReaderKind.BATCHES);
    settings.log(LOG);
    LOG.info("reading {}", split);
    counters = new ReadCounters(ReadCounters.Counting.of(context));
    counters.settings(settings.effective());
    allocator = new RootAllocator(); // before there is something that would have to be closed
    batches = SplitBatches.open(conf, BatchInputFormat.mapping(conf), split, context, counters);
    reader = new ArrowBatches(allocator, batches);
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    current = null;
    ended = !reader.loadNextBatch();
    if (ended) {
      return false;
    }
    current = reader.getVectorSchemaRoot();
    counters.own("ROWS", current.getRowCount());
    return true;
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  /** The batch, which is valid until the next one is asked for. */
  @Override
  public VectorSchemaRoot getCurrentValue() {
    return current;
  }

  @Override
  public float getProgress() throws IOException {
    if (ended) {
      return 1;
    }
    return batches == null ? 0 : batches.share();
  }

  /**
   * Lets go of the files and of the last batch.
   *
   * @throws IOException when the mapper has kept memory of a batch, which stays until it lets go
   */
  @Override
  public void close() throws IOException {
    current = null;
    if (reader != null) {
      reader.close();
    }
    if (allocator == null) {
      return;
    }
    long kept = allocator.getAllocatedMemory();
    if (kept > 0) {
      throw new IOException(
          "the mapper keeps "
              + kept
              + " bytes of a batch: it has to close what it makes of vectors by slices or transfers");
    }
    allocator.close();
  }
}

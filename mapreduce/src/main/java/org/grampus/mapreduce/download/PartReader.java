package org.grampus.mapreduce.download;

import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** Hands out its split as the only value. One thread. */
final class PartReader extends RecordReader<NullWritable, PartProgress> {
  private PartProgress part;
  private boolean handedOut;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) {
    part = new PartProgress((PartSplit) split);
  }

  @Override
  public boolean nextKeyValue() {
    boolean first = !handedOut;
    handedOut = true;
    return first;
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  @Override
  public PartProgress getCurrentValue() {
    return part;
  }

  @Override
  public float getProgress() {
    return part == null ? 0 : part.share(); // a framework may ask before there is a split
  }

  @Override
  public void close() {
    // Nothing is open: the task opens what it reads.
  }
}

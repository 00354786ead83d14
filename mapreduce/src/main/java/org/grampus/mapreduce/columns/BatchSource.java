package org.grampus.mapreduce.columns;

import java.io.Closeable;
import java.io.IOException;

/** Reads the rows of a split into what makes batches of them. One thread. */
interface BatchSource extends Closeable {
  /** False when there are no more; of those before, batches may be there. */
  boolean advance() throws IOException;

  /** How much of the split is read, from 0 to 1. */
  float share() throws IOException;
}

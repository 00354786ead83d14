package org.grampus.mapreduce.columns;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.util.Progressable;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.BatchStreamRequest;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeArrowStruct;
import org.grampus.engine.NativeBatchStream;
import org.grampus.mapreduce.input.ReadCounters;
import org.grampus.mapreduce.input.SnapshotSplit;

/**
 * The batches of one split, in the form of Arrow's C data interface. One thread; closing lets go of
 * the files or the scanner, and not of the batches that were returned.
 */
public final class SplitBatches implements Closeable {
  private final NativeBatchStream stream;
  private final Progressable progress;
  private final String name;
  private final BatchSource source;
  private boolean ended;
  private boolean failed;

  private SplitBatches(
      NativeBatchStream stream,
      Configuration conf,
      InputSplit split,
      Progressable progress,
      ReadCounters counters)
      throws IOException {
    this.stream = stream;
    this.progress = progress;
    this.name = split.toString();
    this.source =
        split instanceof SnapshotSplit frozen
            ? new FrozenColumns(conf, frozen, stream, counters)
            : new ServerRows(stream, conf, split);
  }

  /**
   * Begins to read a split.
   *
   * @param conf of the {@link TableBatches} that has it
   * @param mapping the columns that are wanted, some or all of the scan's; docs/downloads.md
   * @param progress is told now and then that rows are read; what it throws ends the reading
   * @throws IOException when it cannot be read
   */
  public static SplitBatches open(
      Configuration conf, String mapping, InputSplit split, Progressable progress)
      throws IOException {
    return open(conf, mapping, split, progress, ReadCounters.ofNobody());
  }

  /** The same with counters of what is read of a snapshot's files. */
  static SplitBatches open(
      Configuration conf,
      String mapping,
      InputSplit split,
      Progressable progress,
      ReadCounters counters)
      throws IOException {
    NativeBatchStream stream;
    try {
      stream = NativeBatchStream.open(new BatchStreamRequest(mapping, null, null));
    } catch (EngineException e) {
      throw ErrorAdapter.adapt("cannot begin batches of " + split, e);
    }
    try {
      return new SplitBatches(stream, conf, split, progress, counters);
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** An {@code ArrowSchema} of the batches, which the caller closes. */
  public NativeArrowStruct schema() {
    return stream.schema();
  }

  /**
   * The next batch.
   *
   * @return an {@code ArrowArray} of a struct with the columns, the row key's first if the mapping
   *     has it, which the caller closes; null behind the last one
   * @throws IOException when rows cannot be read; there are no more batches then, and no end
   * @throws InterruptedIOException when this thread is interrupted; the next call goes on
   */
  public NativeArrowStruct next() throws IOException {
    if (failed) {
      throw new IOException("the reading of " + name + " has failed before, and has no more rows");
    }
    try {
      while (true) {
        NativeArrowStruct batch = stream.take();
        if (batch != null || ended) {
          return batch;
        }
        requireWanted();
        failed = true; // until rows or the end are there
        ended = !source.advance();
        failed = false;
      }
    } catch (EngineException e) {
      failed = true;
      throw ErrorAdapter.adapt("cannot read batches of " + name, e);
    }
  }

  /** A filter may let nothing through for long. */
  private void requireWanted() throws IOException {
    progress.progress();
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("the reading of " + name + " was interrupted");
    }
  }

  /** How much of the split is read, from 0 to 1, batches that were not returned yet included. */
  public float share() throws IOException {
    return source.share();
  }

  @Override
  public void close() throws IOException {
    try (stream) {
      source.close();
    }
  }

  /** Rows of servers. */
  private static final class ServerRows implements BatchSource {
    /** Rows between two looks whether they are still wanted. */
    private static final int ROWS_PER_CALL = 1024;

    private final ServerResults results;
    private final CellBlock block;

    ServerRows(NativeBatchStream stream, Configuration conf, InputSplit split) throws IOException {
      this.block = new CellBlock(stream);
      this.results = ServerResults.open(conf, split);
    }

    @Override
    public boolean advance() throws IOException {
      for (int row = 0; row < ROWS_PER_CALL; row++) {
        Result result = results.next();
        if (result == null) {
          block.handOver();
          return false;
        }
        if (block.append(result)) {
          return true;
        }
      }
      return true;
    }

    @Override
    public float share() throws IOException {
      return results.share();
    }

    @Override
    public void close() throws IOException {
      results.close();
    }
  }
}

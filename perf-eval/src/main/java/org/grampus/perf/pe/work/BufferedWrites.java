package org.grampus.perf.pe.work;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.Tally;

/**
 * Writes through HBase's buffer. They count when a flush has come back, which is asked for once in
 * a second and at the end: until then no server has acknowledged them.
 */
final class BufferedWrites extends RowTest {
  private static final long FLUSH_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Makes the write of a row. */
  @FunctionalInterface
  interface Writer {
    Mutation write(long row) throws IOException;
  }

  /** Makes what makes the writes of a client. */
  @FunctionalInterface
  interface WriterOf {
    Writer of(TestClient client);
  }

  private final WriterOf writerOf;
  private Writer writer;
  private Tally tally;
  private Clock clock;
  private long pending;
  private long pendingBytes;
  private long flushedNanos;
  private BufferedMutator mutator;

  BufferedWrites(WriterOf writerOf) {
    this.writerOf = writerOf;
  }

  @Override
  public void open(TestClient client) throws IOException {
    tally = client.tally();
    clock = client.clock();
    writer = writerOf.of(client);
    flushedNanos = clock.nanos();
    mutator =
        client
            .connection()
            .sync()
            .getBufferedMutator(
                new BufferedMutatorParams(client.table())
                    .writeBufferSize(client.task().settings().bufferBytes()));
  }

  @Override
  public Step row(long row) throws IOException {
    tally.ask(1);
    Mutation write = writer.write(row);
    mutator.mutate(write);
    pending++;
    pendingBytes += RowBytes.of(write);
    return Step.SENT;
  }

  @Override
  public void afterRow() throws IOException {
    if (clock.nanos() - flushedNanos >= FLUSH_NANOS) {
      flush();
    }
  }

  private void flush() throws IOException {
    mutator.flush();
    tally.answered(pending);
    tally.rows(pending);
    tally.bytes(pendingBytes);
    pending = 0;
    pendingBytes = 0;
    flushedNanos = clock.nanos();
  }

  /** The flush is no request of a row: its time counts in the run, not as a latency. */
  @Override
  public Step finish() throws IOException {
    flush();
    return Step.KEPT;
  }

  @Override
  public void close() throws IOException {
    if (mutator != null) {
      mutator.close();
    }
  }
}

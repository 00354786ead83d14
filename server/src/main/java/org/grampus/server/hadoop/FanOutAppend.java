package org.grampus.server.hadoop;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.grampus.engine.AppendStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's fan-out stream: it sends to each data node of its only block, and what one of them does
 * not acknowledge breaks it. The thread that flushes waits, no event loop does.
 */
final class FanOutAppend implements AppendStream {
  private static final Logger LOG = LoggerFactory.getLogger(FanOutAppend.class);

  /**
   * Bytes of a large group that go out before the rest is there. One such piece is on its way while
   * the next one is collected, so that no group is in direct memory as a whole.
   */
  private static final int PIECE_BYTES = 1 << 20;

  private final Path path;
  private final AsyncFSOutput out;
  private final HadoopAppend.Step recovery;
  private final WaitingThreads threads;
  private final Duration timeout;

  /** The last flush: once it is done, so are those before it. */
  private Future<Long> sent = CompletableFuture.completedFuture(0L);

  /** Something was written behind the last flush. */
  private boolean unsent;

  /**
   * A new file.
   *
   * @param recovery recovers its lease
   * @param threads run what takes time when the file is closed or given up
   * @param timeout the longest wait for data nodes: their client's own one is shorter, but has
   *     races in which nothing ends it
   */
  FanOutAppend(
      Path path,
      AsyncFSOutput out,
      HadoopAppend.Step recovery,
      WaitingThreads threads,
      Duration timeout) {
    this.path = path;
    this.out = out;
    this.recovery = recovery;
    this.threads = threads;
    this.timeout = timeout;
  }

  @Override
  public void write(ByteBuffer bytes) throws IOException {
    HadoopAppend.call(
        () -> {
          if (out.buffered() >= PIECE_BYTES) {
            send(false); // before and not behind: a sync that follows must have bytes to take along
          }
          unsent |= bytes.hasRemaining();
          out.write(bytes);
        });
  }

  @Override
  public void flush() throws IOException {
    HadoopAppend.call(() -> sendAll(false));
  }

  /**
   * Data nodes sync a block behind a packet that says so: what was flushed before it as well. A
   * packet without bytes is not sent, and HBase's stream calls that a success.
   */
  @Override
  public void sync() throws IOException {
    HadoopAppend.call(
        () -> {
          if (!unsent) {
            throw new IOException("nothing is to be sent that would make data nodes sync " + path);
          }
          sendAll(true);
        });
  }

  private void sendAll(boolean sync) throws IOException {
    send(sync);
    await(sent);
  }

  /** Sends what is collected, and waits for what was sent before. */
  private void send(boolean sync) throws IOException {
    Future<Long> before = sent;
    sent = out.flush(sync);
    unsent = false;
    await(before);
  }

  private void await(Future<?> done) throws IOException {
    try {
      done.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException("the stream to the data nodes of " + path + " is broken", e.getCause());
    } catch (TimeoutException e) {
      throw new IOException(path + " waits for an answer since " + timeout, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while data nodes were to answer");
    }
  }

  /** HBase's stream asks a name node that is away for ever: another thread does, if need be. */
  @Override
  public void close() throws IOException {
    HadoopAppend.call(
        () -> {
          try {
            sendAll(false);
          } catch (IOException e) {
            abandon();
            throw e;
          }
          threads.call("the end of " + path, timeout, this::end, (ended, failure) -> {});
        });
  }

  private Void end() throws IOException {
    try {
      out.close();
      return null;
    } catch (IOException | RuntimeException e) {
      giveUp();
      throw e;
    }
  }

  @Override
  public void abandon() {
    threads.inBackground("the end of " + path, this::giveUp);
  }

  /**
   * Ends connections and frees buffers, and sees to it that the name node ends the file: while it
   * is open no replica is made for one that was lost.
   */
  private void giveUp() {
    try {
      release();
      recovery.run();
    } catch (IOException | RuntimeException e) {
      LOG.info("{} was given up: {}", path, e.toString());
    }
  }

  /** HBase's own way, but for the recovery, of which it makes the first call and gives up. */
  private void release() throws IOException {
    try {
      out.recoverAndClose(() -> false);
    } catch (InterruptedIOException e) {
      LOG.debug("{} is not closed at once", path, e);
    }
  }
}

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
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.grampus.engine.AppendStream;
import org.grampus.server.env.Env;
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

  private static final long SYNC_TIMEOUT_MILLIS = 300_000;
  private static final long SOCKET_TIMEOUT_MILLIS = 60_000;
  private static final Duration SLICE = Duration.ofSeconds(1);

  private final Path path;
  private final AsyncFSOutput out;
  private final HadoopAppend.Step recovery;
  private final WaitingThreads threads;
  private final Waits waits;

  /** The last flush: once it is done, so are those before it. */
  private Future<Long> sent = CompletableFuture.completedFuture(0L);

  private volatile boolean isOver;

  /** The call that ends the file has returned or failed. */
  private volatile boolean hasEnded;

  private final AtomicBoolean givenUp = new AtomicBoolean();

  /** Something was written behind the last flush. */
  private boolean unsent;

  /**
   * How long is waited.
   *
   * @param answer for data nodes: their client's own wait is shorter, but has races in which
   *     nothing ends it
   * @param creation of a file: two data nodes that hang are found out by then
   * @param end for the end of the file: what was flushed is safe without it
   */
  record Waits(Duration answer, Duration creation, Duration end) {
    /**
     * @throws IllegalArgumentException when one of them would be without an end
     */
    static Waits from(Configuration conf) {
      long older =
          PositiveMillis.of(conf, "hbase.regionserver.hlog.sync.timeout", SYNC_TIMEOUT_MILLIS);
      long answer = PositiveMillis.of(conf, "hbase.regionserver.wal.sync.timeout", older);
      // Without one HBase's stream sends no sign of life either, and data nodes end it when idle.
      long socket = PositiveMillis.of(conf, "dfs.client.socket-timeout", SOCKET_TIMEOUT_MILLIS);
      return new Waits(
          Duration.ofMillis(answer),
          Duration.ofMillis(Math.min(answer, 2 * socket)),
          Duration.ofMillis(Math.min(answer, socket)));
    }
  }

  /**
   * A new file.
   *
   * @param recovery recovers its lease
   * @param threads run what takes time when the file is closed or given up
   */
  FanOutAppend(
      Path path,
      AsyncFSOutput out,
      HadoopAppend.Step recovery,
      WaitingThreads threads,
      Waits waits) {
    this.path = path;
    this.out = out;
    this.recovery = recovery;
    this.threads = threads;
    this.waits = waits;
  }

  /** Data nodes that it is on, from its beginning until it breaks; none then. */
  int replicas() {
    return isBroken() ? 0 : out.getPipeline().length;
  }

  /** It takes nothing more. Also where nothing is written: its connections end by themselves. */
  boolean isBroken() {
    return out.isBroken();
  }

  /** Nothing is written any more. */
  boolean isOver() {
    return isOver;
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

  /**
   * Waits in slices: what is added to HBase's stream while it breaks may be ended by nothing, and
   * is failed one slice after the stream is seen to be broken.
   */
  private void await(Future<?> done) throws IOException {
    long begun = Env.nanos();
    boolean broken = false;
    try {
      while (!isDone(done)) {
        if (broken) {
          throw new IOException("the stream to the data nodes of " + path + " has broken");
        }
        if (Env.nanos() - begun >= waits.answer().toNanos()) {
          throw new IOException(path + " waits for an answer since " + waits.answer());
        }
        broken = out.isBroken();
      }
    } catch (ExecutionException e) {
      throw new IOException("the stream to the data nodes of " + path + " is broken", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while data nodes were to answer");
    }
  }

  private static boolean isDone(Future<?> done) throws ExecutionException, InterruptedException {
    try {
      done.get(SLICE.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    isOver = true;
    HadoopAppend.call(
        () -> {
          try {
            sendAll(false);
          } catch (Throwable t) { // an Error too: nothing else ends it
            abandon();
            throw t;
          }
          end();
        });
  }

  /**
   * HBase's stream asks the name node to complete the file until it is, and no interrupt ends that:
   * a thread does it. Where it takes too long the lease is recovered, behind which the name node
   * refuses what that thread asks for, and it ends. A file that is deleted then keeps its thread.
   * The caller waits for no recovery: that takes minutes where data nodes are away.
   */
  private void end() throws IOException {
    try {
      threads.call(
          "the end of " + path,
          waits.end(),
          this::endNow,
          (ended, failure) -> {
            if (failure != null) { // also where it was never begun
              abandon();
            }
          });
    } catch (IOException e) {
      if (hasEnded) {
        abandon();
      } else { // its thread has the connections still
        threads.inBackground("the recovery of " + path, recovery);
      }
      throw e;
    }
  }

  private Void endNow() throws IOException {
    try {
      out.close();
      return null;
    } finally {
      hasEnded = true;
    }
  }

  @Override
  public void abandon() {
    isOver = true;
    if (givenUp.compareAndSet(false, true)) { // buffers are freed once
      threads.inBackground("the end of " + path, this::giveUp);
    }
  }

  /**
   * Ends connections and frees buffers, and sees to it that the name node ends the file: while it
   * is open no replica is made for one that was lost.
   */
  private void giveUp() {
    try {
      try {
        release();
      } finally {
        recovery.run();
      }
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

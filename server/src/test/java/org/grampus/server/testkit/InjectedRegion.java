package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.KeyValue;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.MutationReply;
import org.grampus.engine.RowPiece;

/**
 * A region of the native engine in front of which a test lets calls fail, wait or be counted. What
 * reaches the engine is done by it.
 */
public final class InjectedRegion extends DelegatingRegion {
  private static final int STATUS_SHIFT = 56;

  // Offsets and values of requests (docs/jni.md).
  private static final int BATCH_FLAGS = 1;
  private static final int NON_BLOCKING = 1;
  private static final int ADMITTED = 2;
  private static final int BATCH_BYTES = 16 + 8 + 4;
  private static final byte SKIP_WAL = 1;

  private final InjectedCompletions completions;

  /** Non-blocking calls that are still to be answered WOULD_BLOCK. */
  public final AtomicInteger wouldBlock = new AtomicInteger();

  /** The same of gets alone. */
  public final AtomicInteger getsWouldBlock = new AtomicInteger();

  /** Batches that are still to be answered WAIT, for {@link #waitMicros}. */
  public final AtomicInteger waits = new AtomicInteger();

  /** How long those wait. */
  public volatile long waitMicros = 1000;

  /** Holds batches that may block, where there is one. */
  public volatile CountDownLatch gate;

  /** Runs before each get. */
  public volatile Runnable beforeGet = () -> {};

  /** Runs before the engine is given a batch; twice for one that would block there. */
  public volatile Runnable beforeBatch = () -> {};

  /** False makes mutations answer PENDING and leaves their tokens to the test. */
  public volatile boolean completesItself = true;

  /** The token of the last mutation. */
  public volatile long lastToken;

  /** Batches that the engine has run. */
  public final AtomicInteger batches = new AtomicInteger();

  /** Number of scanners that are not closed. */
  public final AtomicInteger openScanners = new AtomicInteger();

  /** Lets scanners open that may not block. */
  public volatile boolean triesScans;

  /** Makes scanners stop on time twice before every result. */
  public volatile boolean scannersRunOutOfTime;

  /** Makes every call of a scanner pause before its first result. */
  public volatile boolean scannersPause;

  /** Runs before each call for pieces. */
  public volatile Runnable beforePieces = () -> {};

  /** The time that the last call for pieces had. */
  public volatile long piecesMillis;

  /** Runs before each call of a scanner. */
  public volatile Runnable beforeNext = () -> {};

  /** Stands in front of a region whose completions come through these. */
  public InjectedRegion(EngineRegion region, InjectedCompletions completions) {
    super(region);
    this.completions = completions;
  }

  private static boolean takes(AtomicInteger count) {
    return count.getAndUpdate(n -> Math.max(n - 1, 0)) > 0;
  }

  @Override
  public long mutate(long token, ByteBuffer ops, ByteBuffer cells, ByteBuffer out) {
    int flags = ops.get(ops.position() + BATCH_FLAGS);
    boolean nonBlocking = (flags & NON_BLOCKING) != 0;
    if (!nonBlocking) {
      await(gate);
    }
    if ((flags & ADMITTED) == 0 && takes(waits)) {
      return (long) CallStatus.WAIT << STATUS_SHIFT | waitMicros;
    }
    if (nonBlocking && takes(wouldBlock)) {
      return (long) CallStatus.WOULD_BLOCK << STATUS_SHIFT;
    }
    return run(token, ops, cells, out);
  }

  private static void await(CountDownLatch closed) {
    try {
      if (closed != null) {
        closed.await();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private long run(long token, ByteBuffer ops, ByteBuffer cells, ByteBuffer out) {
    beforeBatch.run();
    boolean withheld = !completesItself;
    if (withheld) {
      completions.withhold(token);
    }
    long result = super.mutate(token, ops, cells, out);
    int status = CallStatus.status(result);
    if (status == CallStatus.WOULD_BLOCK || status == CallStatus.WAIT) {
      return result;
    }
    lastToken = token; // before the count, which tests wait for
    batches.incrementAndGet();
    boolean done = status == CallStatus.DONE || status == CallStatus.OVERFLOW_DONE;
    return withheld && done
        ? (long) (status + CallStatus.PENDING) << STATUS_SHIFT | CallStatus.bytes(result)
        : result;
  }

  @Override
  public long get(ByteBuffer spec, ByteBuffer out) {
    beforeGet.run();
    AtomicInteger blocking = getsWouldBlock.get() > 0 ? getsWouldBlock : wouldBlock;
    if (isNonBlocking(spec) && takes(blocking)) {
      return (long) CallStatus.WOULD_BLOCK << STATUS_SHIFT;
    }
    return super.get(spec, out);
  }

  @Override
  public List<RowPiece> pieces(long pieceBytes, long timeMillis) {
    piecesMillis = timeMillis;
    beforePieces.run();
    return super.pieces(pieceBytes, timeMillis);
  }

  /** Unless {@link #triesScans}, none opens that may not block, since what is injected may. */
  @Override
  public EngineScanner openScanner(ByteBuffer spec) {
    EngineScanner scanner = isNonBlocking(spec) && !triesScans ? null : super.openScanner(spec);
    if (scanner == null) {
      return null;
    }
    openScanners.incrementAndGet();
    return new InjectedScanner(this, scanner);
  }

  /** Puts a cell past the wire, the log and what is counted here. */
  public void load(KeyValue cell) {
    ByteBuffer cells = ByteBuffer.allocateDirect(Integer.BYTES + cell.getLength());
    cells.putInt(cell.getLength()).put(cell.getBuffer(), cell.getOffset(), cell.getLength());
    ByteBuffer batch = ByteBuffer.allocateDirect(BATCH_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    batch.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(1).putLong(0);
    batch.put((byte) 1).put(SKIP_WAL).putShort((short) 0).putInt(Integer.BYTES).putInt(1);
    ByteBuffer out = ByteBuffer.allocateDirect(1024);
    long token = completions.ownToken();
    super.mutate(token, batch.flip(), cells.flip(), out);
    int status = out.get(MutationReply.STATUS);
    if (status != MutationReply.DONE) {
      throw new IllegalStateException("the put failed with status " + status);
    }
  }
}

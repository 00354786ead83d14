package org.grampus.server.testkit;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineException;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;

/**
 * An engine region in memory that reads and writes the encodings of docs/jni.md. Deletes remove
 * cells at once, filters are not looked at.
 */
public final class FakeRegion extends RequestRegion {
  /** What every scanner sees. */
  public static final long READ_POINT = 77;

  /** Nonce, time range and time to live. */
  private static final int DELTA_HEAD_BYTES = 4 * Long.BYTES;

  private final CellComparator comparator;
  private final List<byte[]> families;
  private final FakeCompletions completions;
  private final TreeMap<Cell, KeyValue> cells;

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

  /** Runs before each batch that does not wait. */
  public volatile Runnable beforeBatch = () -> {};

  /** Makes mutations answer PENDING; false leaves their tokens to the test. */
  public volatile boolean completesItself = true;

  /** The token of the last mutation. */
  public volatile long lastToken;

  /** Batches that were run. */
  public final AtomicInteger batches = new AtomicInteger();

  /** Number of scanners that are not closed. */
  public final AtomicInteger openScanners = new AtomicInteger();

  /** Makes scanners stop on time before every result, once each. */
  public volatile boolean scannersRunOutOfTime;

  /** Reason of a scanner's call that has looked for long enough. */
  private static final int STOP_PAUSED = 6;

  /** Makes every call of a scanner pause before its first result. */
  public volatile boolean scannersPause;

  /** Runs before each call of a scanner. */
  public volatile Runnable beforeNext = () -> {};

  private long clock = 1;

  /** Whether the batch that runs answers with the tags of its deltas; none are stored. */
  private boolean withTags;

  /** An empty region. */
  public FakeRegion(CellComparator comparator, FakeCompletions completions, List<byte[]> families) {
    this.comparator = comparator;
    this.completions = completions;
    this.families = families;
    this.cells = new TreeMap<>(comparator);
  }

  private static ByteBuf view(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException(buffer.toString());
    }
    return Unpooled.wrappedBuffer(buffer.duplicate());
  }

  private static byte[] bytes(ByteBuf in) {
    byte[] bytes = new byte[in.readIntLE()];
    in.readBytes(bytes);
    return bytes;
  }

  // mutate

  @Override
  public long mutate(long token, ByteBuffer ops, ByteBuffer cellsBuffer, ByteBuffer out) {
    CountDownLatch closed = gate;
    if (closed != null && (ops.get(ops.position() + 1) & 1) == 0) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    return run(token, ops, cellsBuffer, out);
  }

  private synchronized long run(
      long token, ByteBuffer opsBuffer, ByteBuffer cellsBuffer, ByteBuffer out) {
    ByteBuf ops = view(opsBuffer);
    CellCursor cursor = new CellCursor().reset(view(cellsBuffer));
    if (ops.readByte() != 1) {
      throw new IllegalArgumentException("version");
    }
    int batchFlags = ops.readByte();
    boolean nonBlocking = (batchFlags & 1) != 0;
    boolean admitted = (batchFlags & 2) != 0;
    withTags = (batchFlags & 4) != 0;
    if (!admitted && waits.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
      return (long) CallStatus.WAIT << 56 | waitMicros;
    }
    if (nonBlocking && wouldBlock.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
      return (long) CallStatus.WOULD_BLOCK << 56;
    }
    lastToken = token; // before the count, which tests wait for
    beforeBatch.run();
    batches.incrementAndGet();
    ops.skipBytes(2);
    int count = ops.readIntLE();
    ops.readLongLE();
    ByteBuf output = Unpooled.buffer();
    for (int i = 0; i < count; i++) {
      op(ops, cursor, output);
    }
    if (ops.isReadable() || hasNext(cursor)) {
      throw new IllegalArgumentException("bytes left over");
    }
    boolean fits = output.readableBytes() <= out.remaining();
    if (fits) {
      view(out).setIndex(0, 0).writeBytes(output.duplicate());
    } else {
      completions.overflow(token, ByteBufUtil.getBytes(output));
    }
    if (completesItself) {
      completions.complete(token, 0);
    }
    long status = fits ? CallStatus.PENDING : CallStatus.OVERFLOW_PENDING;
    return status << 56 | output.readableBytes();
  }

  private static boolean hasNext(CellCursor cursor) {
    try {
      return cursor.next();
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private void op(ByteBuf ops, CellCursor cursor, ByteBuf output) {
    int kind = ops.readUnsignedByte();
    ops.skipBytes(1);
    int flags = ops.readUnsignedShortLE();
    ByteBuf payload = ops.readSlice(ops.readIntLE());
    List<KeyValue> results = new ArrayList<>();
    int status;
    byte[] message = new byte[0];
    ErrorKind error = null;
    try {
      status = run(kind, flags, payload, cursor, results);
      if (payload.isReadable()) {
        throw new IllegalArgumentException("payload left over");
      }
    } catch (EngineException e) {
      status = 3;
      error = e.kind();
      message = e.getMessage().getBytes(StandardCharsets.UTF_8);
    }
    output.writeByte(status).writeByte(error == null ? 0 : error.code()).writeShortLE(0);
    ByteBuf body = Unpooled.buffer();
    if (status == 1) {
      body.writeIntLE(results.size());
      results.forEach(cell -> write(cell, body));
    } else {
      body.writeBytes(message);
    }
    output.writeIntLE(body.readableBytes()).writeBytes(body);
  }

  /** Returns the output's status. */
  private int run(int kind, int flags, ByteBuf payload, CellCursor cursor, List<KeyValue> results) {
    switch (kind) {
      case 1, 2 -> change(kind, take(cursor, payload.readIntLE()));
      case 3, 4 -> {
        payload.skipBytes(DELTA_HEAD_BYTES);
        delta(kind, take(cursor, payload.readIntLE()), (flags & 1) != 0 ? results : null);
        return (flags & 1) != 0 ? 1 : 0;
      }
      case 5, 6 -> {
        byte[] row = bytes(payload);
        boolean matches = kind == 5 || matches(row, payload);
        return nested(payload, cursor, matches, results);
      }
      case 7, 8 -> {
        boolean matches = true;
        for (int n = kind == 8 ? payload.readIntLE() : 0; n > 0; n--) {
          matches &= matches(bytes(payload), payload);
        }
        return nested(payload, cursor, matches, results);
      }
      default -> throw new IllegalArgumentException("kind " + kind);
    }
    return 0;
  }

  private int nested(ByteBuf payload, CellCursor cursor, boolean matches, List<KeyValue> results) {
    int status = 0;
    for (int n = payload.readIntLE(); n > 0; n--) {
      int kind = payload.readUnsignedByte();
      payload.skipBytes(1);
      int flags = payload.readUnsignedShortLE();
      ByteBuf inner = payload.readSlice(payload.readIntLE());
      if (matches) {
        status = Math.max(status, run(kind, flags, inner, cursor, results));
      } else {
        inner.skipBytes(kind >= 3 ? DELTA_HEAD_BYTES : 0);
        take(cursor, inner.readIntLE());
      }
    }
    return matches ? status : 2;
  }

  private boolean matches(byte[] row, ByteBuf payload) {
    if (payload.readByte() != 1) {
      throw new EngineException(ErrorKind.BAD_REQUEST, "the fake has no filters");
    }
    byte[] family = bytes(payload);
    byte[] qualifier = bytes(payload);
    int op = payload.readByte();
    byte[] value = bytes(payload);
    payload.skipBytes(2 * Long.BYTES);
    KeyValue newest = newest(row, family, qualifier);
    if (value.length == 0) {
      return newest == null ? op != 3 : (newest.getValueLength() == 0) != (op == 3);
    }
    if (newest == null) {
      return false;
    }
    int order = Bytes.compareTo(value, CellUtil.cloneValue(newest));
    return switch (op) {
      case 0 -> order < 0;
      case 1 -> order <= 0;
      case 2 -> order == 0;
      case 3 -> order != 0;
      case 4 -> order >= 0;
      case 5 -> order > 0;
      default -> throw new IllegalArgumentException("op " + op);
    };
  }

  private List<KeyValue> take(CellCursor cursor, int count) {
    List<KeyValue> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (!hasNext(cursor)) {
        throw new IllegalArgumentException("too few cells");
      }
      byte[] bytes =
          ByteBufUtil.getBytes(
              cursor.block(), cursor.start() + 4, cursor.end() - cursor.start() - 4);
      KeyValue cell = new KeyValue(bytes, 0, bytes.length); // with its tags
      if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
        cell.setTimestamp(Bytes.toBytes(System.currentTimeMillis() + clock++));
      }
      taken.add(cell);
    }
    checkFamilies(taken);
    return taken;
  }

  private void checkFamilies(List<KeyValue> taken) {
    for (KeyValue cell : taken) {
      if (families.stream().noneMatch(name -> CellUtil.matchingFamily(cell, name))) {
        throw new EngineException(
            ErrorKind.NO_SUCH_FAMILY,
            "Column family " + Bytes.toString(CellUtil.cloneFamily(cell)) + " does not exist");
      }
    }
  }

  private void change(int kind, List<KeyValue> changes) {
    for (KeyValue cell : changes) {
      if (kind == 1 && cell.getType() == Cell.Type.Put) {
        cells.put(cell, cell);
      } else {
        cells.values().removeIf(old -> deletes(cell, old));
      }
    }
  }

  private static boolean deletes(KeyValue marker, KeyValue cell) {
    boolean column = marker.getTypeByte() < 13 && marker.getTypeByte() != 10;
    return CellUtil.matchingRows(marker, cell)
        && CellUtil.matchingFamily(marker, cell)
        && (!column || CellUtil.matchingQualifier(marker, cell));
  }

  private void delta(int kind, List<KeyValue> deltas, List<KeyValue> results) {
    for (KeyValue delta : deltas) {
      KeyValue old =
          newest(
              CellUtil.cloneRow(delta),
              CellUtil.cloneFamily(delta),
              CellUtil.cloneQualifier(delta));
      byte[] before = old == null ? new byte[0] : CellUtil.cloneValue(old);
      byte[] added = CellUtil.cloneValue(delta);
      if (kind == 3 && before.length % 8 != 0) {
        throw new EngineException(ErrorKind.BAD_REQUEST, "Field is not a long, it's 8 bytes wide");
      }
      byte[] after =
          kind == 4
              ? Bytes.add(before, added)
              : Bytes.toBytes((old == null ? 0 : Bytes.toLong(before)) + Bytes.toLong(added));
      KeyValue cell =
          new KeyValue(
              CellUtil.cloneRow(delta),
              CellUtil.cloneFamily(delta),
              CellUtil.cloneQualifier(delta),
              delta.getTimestamp(),
              after);
      cells.put(cell, cell);
      if (results != null) {
        results.add(withTags ? tagged(cell, delta) : cell);
      }
    }
  }

  private static KeyValue tagged(KeyValue cell, KeyValue delta) {
    return new KeyValue(
        CellUtil.cloneRow(cell),
        CellUtil.cloneFamily(cell),
        CellUtil.cloneQualifier(cell),
        cell.getTimestamp(),
        KeyValue.Type.Put,
        CellUtil.cloneValue(cell),
        PrivateCellUtil.cloneTags(delta));
  }

  private KeyValue newest(byte[] row, byte[] family, byte[] qualifier) {
    for (KeyValue cell : cells.values()) {
      if (CellUtil.matchingRows(cell, row) && CellUtil.matchingColumn(cell, family, qualifier)) {
        return cell;
      }
    }
    return null;
  }

  private static void write(KeyValue cell, ByteBuf out) {
    out.writeInt(cell.getLength());
    out.writeBytes(cell.getBuffer(), cell.getOffset(), cell.getLength());
  }

  /** Puts a cell past the wire. */
  public synchronized void load(KeyValue cell) {
    cells.put(cell, cell);
  }

  // reads

  private record Spec(
      int flags, byte[] start, byte[] stop, int versions, int batch, List<Family> families) {
    boolean is(int flag) {
      return (flags & flag) != 0;
    }

    boolean wants(Cell cell) {
      return families.isEmpty() || families.stream().anyMatch(family -> family.wants(cell));
    }
  }

  private record Family(byte[] name, boolean all, List<byte[]> qualifiers) {
    boolean wants(Cell cell) {
      return CellUtil.matchingFamily(cell, name)
          && (all || qualifiers.stream().anyMatch(q -> CellUtil.matchingQualifier(cell, q)));
    }
  }

  private static Spec spec(ByteBuf in) {
    if (in.readByte() != 1) {
      throw new IllegalArgumentException("version");
    }
    in.skipBytes(3);
    int flags = in.readIntLE();
    byte[] start = bytes(in);
    byte[] stop = bytes(in);
    int versions = in.readIntLE();
    in.skipBytes(8);
    int batch = in.readIntLE();
    in.skipBytes(24);
    List<Family> families = new ArrayList<>();
    for (int n = in.readIntLE(); n > 0; n--) {
      byte[] name = bytes(in);
      in.skipBytes(in.readByte() == 0 ? 0 : 16);
      boolean all = in.readByte() != 0;
      List<byte[]> qualifiers = new ArrayList<>();
      for (int q = in.readIntLE(); q > 0; q--) {
        qualifiers.add(bytes(in));
      }
      families.add(new Family(name, all, qualifiers));
    }
    bytes(in);
    if (in.isReadable()) {
      throw new IllegalArgumentException("spec left over");
    }
    return new Spec(flags, start, stop, versions, batch, families);
  }

  private List<List<KeyValue>> rows(Spec spec) {
    List<List<KeyValue>> rows = new ArrayList<>();
    KeyValue last = null;
    int versions = 0;
    for (KeyValue cell : cells.values()) {
      boolean sameColumn =
          last != null && CellUtil.matchingRows(last, cell) && CellUtil.matchingColumn(last, cell);
      versions = sameColumn ? versions + 1 : 1;
      if (last == null || !CellUtil.matchingRows(last, cell)) {
        rows.add(new ArrayList<>());
      }
      last = cell;
      if (spec.wants(cell) && versions <= spec.versions) {
        rows.get(rows.size() - 1).add(cell);
      }
    }
    rows.removeIf(List::isEmpty);
    if (spec.is(32)) {
      Collections.reverse(rows);
    }
    rows.removeIf(row -> !inRange(spec, row.get(0)));
    return rows;
  }

  private boolean inRange(Spec spec, Cell cell) {
    int direction = spec.is(32) ? -1 : 1;
    if (spec.start.length > 0) {
      int order = direction * comparator.compareRows(cell, spec.start, 0, spec.start.length);
      if (order < 0 || (order == 0 && !spec.is(64))) {
        return false;
      }
    }
    if (spec.stop.length > 0) {
      int order = direction * comparator.compareRows(cell, spec.stop, 0, spec.stop.length);
      return order < 0 || (order == 0 && spec.is(128));
    }
    return true;
  }

  @Override
  public synchronized long get(ByteBuffer specBuffer, ByteBuffer out) {
    Spec spec = spec(view(specBuffer));
    beforeGet.run();
    AtomicInteger blocking = getsWouldBlock.get() > 0 ? getsWouldBlock : wouldBlock;
    if (spec.is(1) && blocking.getAndUpdate(n -> Math.max(n - 1, 0)) > 0) {
      return (long) CallStatus.WOULD_BLOCK << 56;
    }
    for (Family family : spec.families) {
      if (families.stream().noneMatch(name -> Arrays.equals(name, family.name))) {
        throw new EngineException(
            ErrorKind.NO_SUCH_FAMILY,
            "Column family " + Bytes.toString(family.name) + " does not exist");
      }
    }
    ByteBuf body = Unpooled.buffer();
    int count = 0;
    for (KeyValue cell : cells.values()) {
      if (CellUtil.matchingRows(cell, spec.start) && spec.wants(cell)) {
        count++;
        write(cell, body);
      }
    }
    boolean existence = spec.is(16);
    int bodyBytes = existence ? 0 : body.readableBytes();
    if (bodyBytes + 8 > out.remaining()) {
      return (long) CallStatus.NEED_BYTES << 56 | (bodyBytes + 8);
    }
    ByteBuf target = view(out).setIndex(0, 0);
    target.writeIntLE(existence ? Math.min(count, 1) : count).writeIntLE(bodyBytes);
    target.writeBytes(body, bodyBytes);
    return (long) CallStatus.DONE << 56 | (bodyBytes + 8);
  }

  @Override
  public synchronized EngineScanner openScanner(ByteBuffer spec) {
    Spec read = spec(view(spec));
    openScanners.incrementAndGet();
    return new FakeScanner(rows(read), read.batch);
  }

  private final class FakeScanner implements EngineScanner {
    private final List<List<KeyValue>> rows;
    private final int batch;
    private int row;
    private int column;
    private boolean timedOut;
    private long rowsScanned;

    /** Bytes of cells of the reply so far. */
    private long size;

    private boolean closed;

    FakeScanner(List<List<KeyValue>> rows, int batch) {
      this.rows = rows;
      this.batch = batch;
    }

    @Override
    public synchronized long next(ScanLimits limits, ByteBuffer out, ScanInfo info) {
      int flags = limits.flags();
      long sizeLimit = limits.sizeBytes();
      if (closed) {
        throw new EngineException(ErrorKind.BUG, "closed");
      }
      beforeNext.run();
      ByteBuf target = view(out).setIndex(0, 0);
      List<Integer> results = new ArrayList<>();
      int complete = 0;
      int stop = 0;
      int needed = 0;
      if ((flags & ScanLimits.CONTINUES) == 0) {
        size = 0;
      }
      while (row < rows.size()) {
        if (scannersPause) {
          stop = STOP_PAUSED;
        } else if (results.size() >= limits.results()) {
          stop = 1;
        } else if (limits.rows() > 0 && complete >= limits.rows()) {
          stop = 2;
        } else if (size >= sizeLimit) {
          stop = 3;
        } else if (scannersRunOutOfTime && !timedOut && (flags & 2) != 0) {
          stop = 4;
          timedOut = true;
        }
        if (stop != 0) {
          break;
        }
        timedOut = false;
        List<KeyValue> all = rows.get(row);
        ByteBuf body = Unpooled.buffer();
        int end = column;
        while (end < all.size()
            && (batch <= 0 || end - column < batch)
            && ((flags & 1) == 0 || size + body.readableBytes() < sizeLimit)) {
          write(all.get(end++), body);
        }
        if (body.readableBytes() > target.writableBytes()) {
          stop = 5;
          needed = results.isEmpty() ? body.readableBytes() : 0;
          break;
        }
        size += body.readableBytes();
        target.writeBytes(body);
        boolean ends = end == all.size();
        results.add(end - column | (ends ? 0 : 1 << 31));
        column = ends ? 0 : end;
        row += ends ? 1 : 0;
        complete += ends ? 1 : 0;
        rowsScanned += ends ? 1 : 0;
      }
      fillInfo(info.buffer(), results, target.readableBytes(), stop, needed, rowsScanned, complete);
      return (long) CallStatus.DONE << 56 | target.readableBytes();
    }

    private void fillInfo(
        ByteBuffer buffer,
        List<Integer> results,
        int bytes,
        int stop,
        int needed,
        long scanned,
        int complete) {
      ByteBuf info = view(buffer).setIndex(0, 0);
      info.writeIntLE(results.size()).writeIntLE(bytes);
      info.writeByte(row == rows.size() ? 1 : 0).writeByte(0).writeByte(stop).writeByte(0);
      info.writeIntLE(needed).writeLongLE(scanned).writeLongLE(0).writeLongLE(bytes);
      byte[] last = row < rows.size() ? CellUtil.cloneRow(rows.get(row).get(0)) : new byte[0];
      info.writeLongLE(READ_POINT).writeIntLE(complete).writeIntLE(last.length);
      results.forEach(info::writeIntLE);
      info.writeBytes(last);
    }

    @Override
    public long memoryBytes() {
      return 0;
    }

    @Override
    public void dropPages() {}

    @Override
    public synchronized void close() {
      if (!closed) {
        closed = true;
        openScanners.decrementAndGet();
      }
    }
  }
}

package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.unsafe.HBasePlatformDependent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Batches across the boundary: what they have, how long they live, and what is refused. */
class BatchStreamTest {
  private static final int ROWS = 3000;
  private static final int VALUE_BYTES = 100;
  private static final int BATCH_ROWS = 700;

  // of ArrowArray in Arrow's C data interface, on 64 bits
  private static final int LENGTH = 0;
  private static final int CHILD_COUNT = 32;
  private static final int BUFFERS = 40;
  private static final int CHILDREN = 48;
  private static final int RELEASE = 64;

  @TempDir Path root;
  private TestTable table;
  private EngineRegion served;
  private NativeFrozenRegion region;
  private final ScanInfo info = new ScanInfo();

  @BeforeEach
  void write() {
    table = new TestTable(root, null);
    served = table.open("region");
    for (int row = 0; row < ROWS; row++) {
      TestTable.put(served, key(row), TestTable.noise(row, VALUE_BYTES));
    }
    region =
        NativeFrozenRegion.open(
            TestTable.frozen(root.toString(), "region", served.snapshotFiles(true)), null, null);
  }

  @AfterEach
  void close() {
    region.close();
    served.close(true);
    table.close();
  }

  private static String key(int row) {
    return String.format("row%05d", row);
  }

  private static NativeBatchStream stream(String mapping) {
    return NativeBatchStream.open(new BatchStreamRequest(mapping, BATCH_ROWS, null));
  }

  private NativeBatchStream begun(String mapping) {
    NativeBatchStream stream = stream(mapping);
    stream.begin(region.scan(TestTable.scan(), 0));
    return stream;
  }

  /** The first batch, which the caller closes. */
  private NativeArrowStruct first(NativeBatchStream stream) {
    while (true) {
      boolean more = stream.advance(info);
      NativeArrowStruct batch = stream.take();
      if (batch != null) {
        return batch;
      }
      assertTrue(more);
    }
  }

  /** The texts of a batch's first column. */
  private static List<String> keys(NativeArrowStruct batch) {
    long address = batch.address();
    long column =
        HBasePlatformDependent.getLong(HBasePlatformDependent.getLong(address + CHILDREN));
    long buffers = HBasePlatformDependent.getLong(column + BUFFERS);
    long offsets = HBasePlatformDependent.getLong(buffers + Long.BYTES);
    long bytes = HBasePlatformDependent.getLong(buffers + 2 * Long.BYTES);
    List<String> keys = new ArrayList<>();
    for (long row = 0; row < HBasePlatformDependent.getLong(address + LENGTH); row++) {
      int from = HBasePlatformDependent.getInt(offsets + row * Integer.BYTES);
      byte[] key =
          new byte[HBasePlatformDependent.getInt(offsets + (row + 1) * Integer.BYTES) - from];
      for (int i = 0; i < key.length; i++) {
        key[i] = HBasePlatformDependent.getByte(bytes + from + i);
      }
      keys.add(new String(key, StandardCharsets.UTF_8));
    }
    return keys;
  }

  @Test
  void batchesHaveTheRowsOfAScan() {
    List<String> keys = new ArrayList<>();
    try (NativeBatchStream stream = begun(":key=k:string,f:q=v")) {
      boolean more = true;
      while (more) {
        more = stream.advance(info);
        for (NativeArrowStruct batch = stream.take(); batch != null; batch = stream.take()) {
          assertEquals(2, HBasePlatformDependent.getLong(batch.address() + CHILD_COUNT));
          List<String> read = keys(batch);
          assertTrue(read.size() <= BATCH_ROWS);
          keys.addAll(read);
          batch.close();
        }
      }
    }
    assertTrue(info.endOfRegion());
    assertEquals(ROWS, info.completeRows());
    assertEquals(key(ROWS - 1), new String(info.lastRow(), StandardCharsets.UTF_8));
    assertEquals(ROWS, keys.size());
    for (int row = 0; row < ROWS; row++) {
      assertEquals(key(row), keys.get(row));
    }
  }

  @Test
  void aBatchOutlivesStreamScanAndRegion() {
    NativeBatchStream stream = begun(":key=k:string");
    NativeArrowStruct batch = first(stream);
    stream.close();
    region.close();
    assertEquals(key(0), keys(batch).get(0));
    batch.close();
    batch.close();
  }

  /** As Arrow's own importers do it: the place is the engine's, what was there is not. */
  @Test
  void aBatchThatWasMovedAwayIsNotReleased() {
    try (NativeBatchStream stream = begun(":key=k:string")) {
      NativeArrowStruct batch = first(stream);
      assertNotEquals(0, HBasePlatformDependent.getLong(batch.address() + RELEASE));
      long release = HBasePlatformDependent.getLong(batch.address() + RELEASE);
      HBasePlatformDependent.putLong(batch.address() + RELEASE, 0);
      List<String> before = keys(batch);
      assertNull(closeAndTake(batch, stream));
      assertEquals(BATCH_ROWS, before.size());
      assertNotEquals(0, release);
    }
  }

  private static NativeArrowStruct closeAndTake(NativeArrowStruct batch, NativeBatchStream stream) {
    batch.close();
    return stream.take();
  }

  @Test
  void eachSchemaIsItsCallers() {
    try (NativeBatchStream stream = stream(":key=k:string,f:q=v:long")) {
      NativeArrowStruct first = stream.schema();
      NativeArrowStruct second = stream.schema();
      assertNotEquals(first.address(), second.address());
      first.close();
      assertNotNull(format(second));
      assertEquals("+s", format(second));
      second.close();
    }
  }

  private static String format(NativeArrowStruct schema) {
    long text = HBasePlatformDependent.getLong(schema.address());
    return ""
        + (char) HBasePlatformDependent.getByte(text)
        + (char) HBasePlatformDependent.getByte(text + 1);
  }

  @Test
  void whatIsClosedIsRefused() {
    NativeBatchStream stream = begun(":key");
    NativeArrowStruct batch = first(stream);
    NativeArrowStruct staleBatch = new NativeArrowStruct(batch.handle());
    NativeBatchStream stale = new NativeBatchStream(stream.handle());
    batch.close();
    stream.close();
    stream.close();
    assertNotServing(batch::address);
    assertNotServing(staleBatch::close);
    assertNotServing(() -> new NativeArrowStruct(1L << 32 | 77));
    for (NativeBatchStream closed : List.of(stream, stale)) {
      assertNotServing(closed::schema);
      assertNotServing(closed::take);
      assertNotServing(() -> closed.advance(info));
      assertNotServing(() -> closed.begin(region.scan(TestTable.scan(), 0)));
      assertNotServing(() -> closed.append(ByteBuffer.allocateDirect(0), new int[0], 0));
    }
    assertNotServing(stale::close);
  }

  private static void assertNotServing(Executable call) {
    assertEquals(ErrorKind.NOT_SERVING, assertThrows(EngineException.class, call).kind());
  }

  private static void assertBug(Executable call) {
    assertEquals(ErrorKind.BUG, assertThrows(EngineException.class, call).kind());
  }

  @Test
  void aWrongUseIsRefused() {
    for (String wrong : List.of("f", ":key=k:number", "f:q=a,f:q=b")) {
      assertEquals(
          ErrorKind.BAD_REQUEST, assertThrows(EngineException.class, () -> stream(wrong)).kind());
    }
    try (NativeBatchStream stream = begun(":key")) {
      assertBug(() -> stream.begin(region.scan(TestTable.scan(), 0)));
      ByteBuffer none = ByteBuffer.allocateDirect(0);
      assertBug(() -> stream.append(none, new int[0], 0));
      assertBug(() -> stream.append(ByteBuffer.allocate(0), new int[0], 0));
      while (stream.advance(info)) {}
      assertFalse(stream.advance(info));
      assertBug(() -> stream.append(none, new int[] {-1}, 1));
      assertThrows(EngineException.class, () -> stream.append(none, new int[] {1}, 1), "no cell");
      assertBug(stream::take);
    }
  }

  @Test
  void anErrorNamesRowAndColumnAndIsTheEnd() {
    try (NativeBatchStream stream = begun(text(":key"))) {
      EngineException error =
          assertThrows(
              EngineException.class,
              () -> {
                while (stream.advance(info)) {}
              });
      assertEquals(ErrorKind.BAD_REQUEST, error.kind());
      assertTrue(error.getMessage().contains("row " + key(0)), error.getMessage());
      assertBug(() -> stream.advance(info));
      assertBug(stream::take);
    }
  }

  /** A mapping of the column that the table has, as a number that it is not. */
  private String text(String before) {
    FamilyColumns family =
        region.columns(100).stream()
            .filter(f -> !f.qualifiers().isEmpty())
            .findFirst()
            .orElseThrow();
    return before
        + ","
        + new String(family.family(), StandardCharsets.UTF_8)
        + ":"
        + new String(family.qualifiers().get(0), StandardCharsets.UTF_8)
        + "=v:long";
  }

  /**
   * Of two calls at a time one is refused, and nothing else comes of it; each batch goes to one.
   */
  @Test
  void threadsGetEachBatchOnce() throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (NativeBatchStream stream = begun(":key=k:string")) {
      List<Callable<Integer>> takers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        takers.add(() -> takeAll(stream));
      }
      int rows = 0;
      for (Future<Integer> taken : pool.invokeAll(takers)) {
        rows += taken.get();
      }
      rows += takeAll(stream);
      assertEquals(ROWS, rows);
    } finally {
      pool.shutdownNow();
    }
  }

  private static int takeAll(NativeBatchStream stream) {
    ScanInfo own = new ScanInfo();
    int rows = 0;
    boolean more = true;
    while (more) {
      try {
        more = stream.advance(own);
        for (NativeArrowStruct batch = stream.take(); batch != null; batch = stream.take()) {
          rows += keys(batch).size();
          batch.close();
        }
      } catch (EngineException e) {
        assertEquals(ErrorKind.BUG, e.kind());
        assertTrue(e.getMessage().contains("two calls at a time"), e.getMessage());
      }
    }
    return rows;
  }
}

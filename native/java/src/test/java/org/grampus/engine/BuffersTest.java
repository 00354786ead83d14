package org.grampus.engine;

import static org.grampus.engine.TestTable.buffer;
import static org.grampus.engine.TestTable.bytes;
import static org.grampus.engine.TestTable.get;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Buffers as they cross: where their bytes are, too short ones, and ones that cannot cross. */
class BuffersTest {
  private static final byte[] VALUE = bytes("value");

  @TempDir private Path root;
  private TestTable table;
  private NativeRegion region;

  @BeforeEach
  void open() {
    table = new TestTable(root, null);
    region = table.open("region");
    TestTable.put(region, "row", VALUE);
  }

  @AfterEach
  void close() {
    region.close(true);
    table.close();
  }

  private static EngineException refused(Executable call) {
    EngineException error = assertThrows(EngineException.class, call);
    assertEquals(ErrorKind.BUG, error.kind(), error.getMessage());
    return error;
  }

  private static void assertStatus(int status, long result) {
    assertEquals(status, CallStatus.status(result));
  }

  @Test
  void theBytesBetweenPositionAndLimitAreMeantAndNeitherIsMoved() {
    ByteBuffer request = get("row");
    ByteBuffer spec = buffer(2048).position(100);
    spec.put(request.duplicate()).flip().position(100);
    ByteBuffer out = buffer(300);
    for (int i = 0; i < out.capacity(); i++) {
      out.put(i, (byte) 0x55);
    }
    ByteBuffer part = out.position(7).slice().position(3).limit(203);
    long result = region.get(spec, part);
    assertStatus(CallStatus.DONE, result);
    assertEquals(1, out.getInt(10 + GetReply.CELL_COUNT));
    assertTrue(CallStatus.scannedBytes(result) > VALUE.length, "it looked at the cell");
    int end = 10 + CallStatus.bytes(result);
    assertEquals(
        end, 10 + GetReply.HEADER_BYTES + out.getInt(10 + GetReply.CELL_BYTES), "of the header");
    byte[] value = new byte[VALUE.length];
    out.get(end - VALUE.length, value);
    assertArrayEquals(VALUE, value);
    for (int i = 0; i < out.capacity(); i++) {
      assertTrue((i >= 10 && i < end) || out.get(i) == 0x55, "byte " + i + " is outside");
    }
    assertEquals(100, spec.position());
    assertEquals(3, part.position());
    assertEquals(203, part.limit());
  }

  @Test
  void aGetThatDoesNotFitSaysWhatItNeeds() {
    long small = region.get(get("row"), buffer(GetReply.HEADER_BYTES));
    assertStatus(CallStatus.NEED_BYTES, small);
    assertEquals(small, region.get(get("row"), buffer(0)));
    int needed = CallStatus.bytes(small);
    assertEquals(small, region.get(get("row"), buffer(needed - 1)));
    assertStatus(CallStatus.DONE, region.get(get("row"), buffer(needed)));
  }

  @Test
  void anAnswerThatDoesNotFitIsKeptUntilItIsFetchedOnce() {
    long token = TestTable.token();
    ByteBuffer delta = TestTable.cell("counter", new byte[] {0, 0, 0, 0, 0, 0, 0, 5});
    long result = region.mutate(token, TestTable.increment(), delta, buffer(3));
    int status = CallStatus.status(result);
    assertTrue(
        status == CallStatus.OVERFLOW_DONE || status == CallStatus.OVERFLOW_PENDING, "" + status);
    int bytes = CallStatus.bytes(result);
    EngineException error = refused(() -> table.engine().takeOverflow(token, buffer(bytes - 1)));
    assertTrue(error.getMessage().contains("the buffer holds " + (bytes - 1)), error.getMessage());
    ByteBuffer out = buffer(bytes + 9).position(4);
    assertEquals(bytes, table.engine().takeOverflow(token, out));
    assertEquals(MutationReply.DONE_WITH_CELLS, out.get(4 + MutationReply.STATUS));
    assertEquals(1, out.getInt(4 + MutationReply.HEADER_BYTES), "cells");
    assertEquals(5, Long.reverseBytes(out.getLong(4 + bytes - Long.BYTES)), "the counter");
    refused(() -> table.engine().takeOverflow(token, out));
  }

  @Test
  void anAnswerForWhichThereIsNoRoomIsDropped() {
    long token = TestTable.token();
    ByteBuffer delta = TestTable.cell("counter", new byte[] {0, 0, 0, 0, 0, 0, 0, 5});
    int bytes = CallStatus.bytes(region.mutate(token, TestTable.increment(), delta, buffer(3)));
    assertEquals(0, table.engine().takeOverflow(token, buffer(0)));
    refused(() -> table.engine().takeOverflow(token, buffer(bytes)));
  }

  @Test
  void aScanThatDoesNotFitSaysWhatItNeeds() {
    ScanInfo info = new ScanInfo();
    try (NativeScanner scanner = region.openScanner(TestTable.scan())) {
      assertStatus(CallStatus.DONE, scanner.next(TestTable.limits(), buffer(1), info));
      assertEquals(StopReason.OUTPUT_FULL, info.stopReason());
      assertEquals(0, info.resultCount());
      ScanLimits goesOn = TestTable.limits().flags(ScanLimits.CONTINUES);
      ByteBuffer out = buffer(Math.toIntExact(info.neededBytes()));
      long result = scanner.next(goesOn, out, info);
      assertStatus(CallStatus.DONE, result);
      assertEquals(1, info.resultCount());
      assertEquals(1, info.result(0));
      assertEquals(1, info.completeRows());
      assertEquals(CallStatus.bytes(result), info.cellBytes());
      assertEquals(1, info.counts().rowsScanned());
      assertTrue(info.endOfRegion() && info.readPoint() > 0);
      assertArrayEquals(bytes("row"), info.lastRow());
    }
  }

  @Test
  void aRequestThatEndsTooEarlyIsRefused() {
    int bytes = get("row").limit();
    for (int length = 0; length < bytes; length++) {
      ByteBuffer spec = get("row").limit(length);
      EngineException error =
          assertThrows(EngineException.class, () -> region.get(spec, buffer(1024)));
      assertEquals(ErrorKind.BAD_REQUEST, error.kind(), error.getMessage());
    }
    ByteBuffer batch = TestTable.batch();
    batch.limit(batch.limit() - 1);
    ByteBuffer cell = TestTable.cell("row", VALUE);
    assertThrows(
        EngineException.class, () -> region.mutate(TestTable.token(), batch, cell, buffer(64)));
  }

  @Test
  void aHeapBufferIsRefused() {
    ByteBuffer heap = ByteBuffer.allocate(1024);
    ByteBuffer cell = TestTable.cell("row", VALUE);
    ByteBuffer batch = TestTable.batch();
    ByteBuffer out = buffer(1024);
    EngineException error = refused(() -> region.get(heap, out));
    assertEquals(
        "the buffer of a read spec must be a direct buffer; it is " + heap, error.getMessage());
    refused(() -> region.get(get("row"), heap));
    refused(() -> region.openScanner(heap));
    refused(() -> region.mutate(1, heap, cell, out));
    refused(() -> region.mutate(1, batch, heap, out));
    refused(() -> region.mutate(1, batch, cell, heap));
    refused(() -> table.engine().takeOverflow(1, heap));
    try (NativeScanner scanner = region.openScanner(TestTable.scan())) {
      refused(() -> scanner.next(TestTable.limits(), heap, new ScanInfo()));
    }
  }

  @Test
  void aReadOnlyBufferIsReadAndNotWritten() {
    ByteBuffer out = buffer(1024).asReadOnlyBuffer();
    EngineException error = refused(() -> region.get(get("row"), out));
    assertEquals("the buffer of cells must not be read-only; it is " + out, error.getMessage());
    assertStatus(CallStatus.DONE, region.get(get("row").asReadOnlyBuffer(), buffer(1024)));
  }

  private void callGet(ByteBuffer spec, int offset, int length) throws Exception {
    Method get =
        NativeRegion.class.getDeclaredMethod(
            "get0",
            long.class,
            ByteBuffer.class,
            int.class,
            int.class,
            ByteBuffer.class,
            int.class,
            int.class);
    get.setAccessible(true);
    get.invoke(null, region.handle(), spec, offset, length, buffer(64), 0, 64);
  }

  /** What no ByteBuffer can say, past the check of this side. */
  @ParameterizedTest
  @CsvSource({
    "1, 1024",
    "1024, 1",
    "-1, 2",
    "0, -1",
    "2147483647, 1",
    "1, 2147483647",
    "2147483647, 2147483647",
    "-2147483648, -2147483648"
  })
  void aRangeOutsideTheBufferIsRefusedByTheBridge(int offset, int length) {
    InvocationTargetException thrown =
        assertThrows(InvocationTargetException.class, () -> callGet(buffer(1024), offset, length));
    EngineException error = assertInstanceOf(EngineException.class, thrown.getCause());
    assertEquals(ErrorKind.BUG, error.kind());
    assertTrue(error.getMessage().contains("outside a direct buffer"), error.getMessage());
  }

  @Test
  void whatIsNoDirectBufferIsRefusedByTheBridge() {
    for (ByteBuffer spec : new ByteBuffer[] {ByteBuffer.allocate(64), null}) {
      InvocationTargetException thrown =
          assertThrows(InvocationTargetException.class, () -> callGet(spec, 0, 64));
      EngineException error = assertInstanceOf(EngineException.class, thrown.getCause());
      assertEquals(ErrorKind.BUG, error.kind());
    }
  }

  @Test
  void aWriteIsCompletedWithItsToken() {
    long token = TestTable.token();
    long result =
        region.mutate(token, TestTable.batch(), TestTable.cell("row2", VALUE), buffer(64));
    CompletionEntries entries = new CompletionEntries(4);
    assertEquals(4, entries.capacity());
    if (CallStatus.status(result) == CallStatus.PENDING) {
      boolean found = false;
      while (!found) {
        int count = table.engine().pollCompletions(entries, 1000);
        assertTrue(count >= 0);
        for (int i = 0; i < count; i++) {
          assertEquals(CompletionEntries.DURABLE, entries.kind(i));
          found |= entries.token(i) == token;
        }
      }
    }
    entries.set(2, -1, ErrorKind.POISONED.code());
    assertEquals(-1, entries.token(2));
    assertEquals(ErrorKind.POISONED.code(), entries.kind(2));
  }
}

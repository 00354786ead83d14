package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Column files across the boundary: what they have, what they refuse, and how they are loaded. */
class ColumnFileTest {
  private static final String NAME = "0123456789abcdef0123456789abcdef";

  @TempDir Path root;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();

  private void take(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    written.writeBytes(copy);
  }

  private static ColumnFileRequest request(String compression) {
    return new ColumnFileRequest(
        new FamilyDescription(
            TestTable.bytes("f"),
            new FamilyDescription.Versions(1, 0, null, "FALSE", false, 0),
            new FamilyDescription.Files("ROW", null, 65536, compression),
            null,
            null,
            null),
        System.currentTimeMillis());
  }

  private static ByteBuffer cell(String row, String family, long timestamp) {
    byte[] value = ("v" + row).getBytes(StandardCharsets.UTF_8);
    KeyValue cell =
        new KeyValue(
            Bytes.toBytes(row), Bytes.toBytes(family), Bytes.toBytes("q"), timestamp, value);
    return ByteBuffer.allocateDirect(Integer.BYTES + cell.getLength())
        .putInt(cell.getLength())
        .put(cell.getBuffer(), cell.getOffset(), cell.getLength())
        .flip();
  }

  private Path file(String name, String... rows) throws IOException {
    written.reset();
    try (NativeColumnFile file = NativeColumnFile.open(request("ZSTD"), this::take)) {
      for (String row : rows) {
        file.append(cell(row, "f", 1));
      }
      file.finish();
    }
    return Files.write(root.resolve(name), written.toByteArray());
  }

  private static EngineException refused(NativeColumnFile file, ByteBuffer cell) {
    EngineException error = assertThrows(EngineException.class, () -> file.append(cell));
    assertEquals(ErrorKind.BAD_REQUEST, error.kind(), error.getMessage());
    return error;
  }

  @Test
  void aFinishedFileSaysWhatItHas() {
    NativeColumnFile file = NativeColumnFile.open(request("NONE"), this::take);
    file.append(cell("a", "f", 1));
    file.append(cell("b", "f", 1));
    ColumnFileReport report = file.finish();
    assertEquals(written.size(), report.bytes());
    assertEquals(2, report.rows());
    assertEquals(2, report.cells());
    assertEquals("a", Bytes.toString(report.firstRow()));
    assertEquals("b", Bytes.toString(report.lastRow()));
    ColumnFileReport empty = NativeColumnFile.open(request("NONE"), this::take).finish();
    assertEquals(0, empty.rows());
    assertNull(empty.firstRow());
    assertThrows(EngineException.class, file::finish);
  }

  @Test
  void cellsThatDoNotBelongInAFileAreRefusedWithTheirRow() {
    try (NativeColumnFile file = NativeColumnFile.open(request("NONE"), this::take)) {
      file.append(cell("b", "f", 1));
      assertTrue(refused(file, cell("c", "g", 1)).getMessage().contains("row c"));
      EngineException latest = refused(file, cell("c", "f", HConstants.LATEST_TIMESTAMP));
      assertTrue(latest.getMessage().contains("has no timestamp"), latest.getMessage());
      assertTrue(refused(file, cell("a", "f", 1)).getMessage().contains("out of order"));
    }
  }

  @Test
  void aSinkThatFailsEndsTheFileAndIsNotCalledAgain() {
    AtomicInteger calls = new AtomicInteger();
    NativeColumnFile file =
        NativeColumnFile.open(
            request("NONE"),
            bytes -> {
              calls.incrementAndGet();
              throw new IOException("the disk is full");
            });
    file.append(cell("a", "f", 1));
    EngineException error = assertThrows(EngineException.class, file::finish);
    assertEquals(ErrorKind.IO, error.kind());
    assertTrue(error.getMessage().contains("the disk is full"), error.getMessage());
    file.close();
    assertEquals(1, calls.get());
  }

  @Test
  void rowsOfAnotherFileAreCopiedBetweenTwoRows() throws IOException {
    Path source = file("source", "a", "b", "c", "d");
    written.reset();
    try (NativeColumnFile file = NativeColumnFile.open(request("NONE"), this::take)) {
      file.appendRows(source.toString(), null, TestTable.bytes("b"), TestTable.bytes("d"));
      ColumnFileReport report = file.finish();
      assertEquals(2, report.rows());
      assertEquals("b", Bytes.toString(report.firstRow()));
      assertEquals("c", Bytes.toString(report.lastRow()));
    }
    try (NativeColumnFile file = NativeColumnFile.open(request("NONE"), this::take)) {
      String none = root.resolve("none").toString();
      EngineException error =
          assertThrows(
              EngineException.class, () -> file.appendRows(none, null, new byte[0], new byte[0]));
      assertEquals(ErrorKind.IO, error.kind());
    }
  }

  @Test
  void aRegionLoadsAFileOnce() throws IOException {
    Path source = file("source", "a", "b");
    LoadRequest request =
        new LoadRequest(
            List.of(new LoadRequest.File(TestTable.bytes("f"), source.toString(), NAME)),
            false,
            true,
            false);
    try (TestTable table = new TestTable(root, null)) {
      NativeRegion region = table.open("region");
      EngineException lost =
          assertThrows(EngineException.class, () -> region.loadFiles(request, () -> false));
      assertEquals(ErrorKind.NOT_SERVING, lost.kind());
      AtomicInteger asked = new AtomicInteger();
      lost =
          assertThrows(
              EngineException.class,
              () -> region.loadFiles(request, () -> asked.incrementAndGet() < 3));
      assertEquals(ErrorKind.NOT_SERVING, lost.kind(), "asked again before the load happens");
      EngineException thrown =
          assertThrows(
              EngineException.class,
              () ->
                  region.loadFiles(
                      request,
                      () -> {
                        throw new IllegalStateException("no answer");
                      }));
      assertTrue(thrown.getMessage().contains("no answer"), thrown.getMessage());
      assertTrue(Files.exists(source));
      LoadReport report = region.loadFiles(request, () -> true);
      assertEquals(1, report.files().size());
      assertEquals(2, report.files().get(0).cells());
      assertEquals(NAME + "_SeqId_" + report.sequence() + "_", report.files().get(0).name());
      assertTrue(Files.notExists(source));
      assertTrue(region.loadFiles(request, () -> true).files().isEmpty());
      region.close(true);
    }
  }
}

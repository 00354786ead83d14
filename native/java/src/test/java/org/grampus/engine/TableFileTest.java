package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of tables across the boundary: what they have, and what becomes of sinks that fail. */
class TableFileTest {
  private static final int ROWS = 3000;
  private static final int VALUE_BYTES = 1000;

  @TempDir Path root;
  private TestTable table;
  private EngineRegion served;
  private NativeFrozenRegion region;
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
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

  private void take(ByteBuffer bytes) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    written.writeBytes(copy);
  }

  private static TableFileRequest request(String mapping, String format) {
    return new TableFileRequest(mapping, format, null, true, null, true);
  }

  private static TableFileRequest deflated(String format) {
    return new TableFileRequest("f:q", format, "deflate", false, null, true);
  }

  private NativeTableFile file(String mapping, TableSink sink) {
    return NativeTableFile.open(request(mapping, "csv"), sink);
  }

  private NativeTableFile filled(String mapping, TableSink sink) {
    NativeTableFile file = file(mapping, sink);
    file.begin(region.scan(TestTable.scan(), 0));
    while (file.advance(info)) {
      assertFalse(info.endOfRegion());
    }
    return file;
  }

  @Test
  void aFileHasTheRowsOfAScan() {
    String column = mapping();
    try (NativeTableFile file = filled(":key=k:string," + column, this::take)) {
      assertTrue(info.endOfRegion());
      assertEquals(ROWS, info.completeRows());
      assertEquals(key(ROWS - 1), new String(info.lastRow(), StandardCharsets.UTF_8));
      TableFileReport report = file.finish();
      CRC32C checksum = new CRC32C();
      checksum.update(written.toByteArray());
      assertEquals(new TableFileReport(ROWS, written.size(), checksum.getValue()), report);
      List<String> lines = written.toString(StandardCharsets.ISO_8859_1).lines().toList();
      assertEquals(ROWS + 1, lines.size());
      assertTrue(lines.get(ROWS).startsWith(key(ROWS - 1) + ","));
    }
  }

  /** The column that the table has. */
  private String mapping() {
    FamilyColumns family =
        region.columns(100).stream()
            .filter(f -> !f.qualifiers().isEmpty())
            .findFirst()
            .orElseThrow();
    assertTrue(family.complete());
    return text(family.family()) + ":" + text(family.qualifiers().get(0)) + "=v";
  }

  private static String text(byte[] name) {
    return new String(name, StandardCharsets.UTF_8);
  }

  @Test
  void aSinkThatFailsEndsTheFile() {
    TableSink full =
        bytes -> {
          throw new IOException("no space");
        };
    try (NativeTableFile file = file(mapping(), full)) {
      file.begin(region.scan(TestTable.scan(), 0));
      EngineException error =
          assertThrows(
              EngineException.class,
              () -> {
                while (file.advance(info)) {}
                file.finish();
              });
      assertEquals(ErrorKind.IO, error.kind());
      assertTrue(error.getMessage().contains("no space"), error.getMessage());
    }
    try (NativeTableFile file = file(mapping(), bytes -> {})) {
      file.begin(region.scan(TestTable.scan(), 0));
      assertThrows(
          EngineException.class,
          () -> {
            while (file.advance(info)) {}
          },
          "it takes nothing");
      assertEquals(ErrorKind.BUG, assertThrows(EngineException.class, file::finish).kind());
    }
  }

  /** Parquet's writer keeps bytes, and hands them on when it is dropped. */
  @Test
  void aSinkThatHasFailedIsNotCalledAgain() {
    AtomicInteger calls = new AtomicInteger();
    TableSink full =
        bytes -> {
          calls.incrementAndGet();
          throw new IOException("no space");
        };
    for (String format : List.of("parquet", "avro", "csv", "jsonl", "arrows")) {
      calls.set(0);
      EngineException error = assertThrows(EngineException.class, () -> writeTable(format, full));
      assertTrue(error.getMessage().contains("no space"), error.getMessage());
      assertEquals(1, calls.get(), format);
    }
  }

  /** An Arrow stream writes as early as its opening, the other formats only later. */
  private void writeTable(String format, TableSink sink) {
    try (NativeTableFile file = NativeTableFile.open(request(mapping(), format), sink)) {
      file.begin(region.scan(TestTable.scan(), 0));
      while (file.advance(info)) {}
      file.finish();
    }
  }

  @Test
  void aFileNeedsASink() {
    assertThrows(NullPointerException.class, () -> file(mapping(), null));
    assertThrows(
        NullPointerException.class, () -> NativeTableFile.mergeParquet(List.of("a"), null, null));
  }

  @Test
  void aFileIsClosedOnceItIsFinished() {
    NativeTableFile file = filled(mapping(), this::take);
    file.finish();
    assertEquals(ErrorKind.NOT_SERVING, assertThrows(EngineException.class, file::finish).kind());
    file.close();
    NativeTableFile unfinished = filled(mapping(), this::take);
    written.reset();
    unfinished.close();
    assertEquals(0, written.size(), "closing completes nothing");
  }

  @Test
  void aScanIsTheFilesAlone() {
    NativeFrozenScan scan = region.scan(TestTable.scan(), 0);
    try (NativeTableFile file = file(mapping(), this::take)) {
      file.begin(scan);
      assertThrows(EngineException.class, () -> file.begin(scan));
      assertThrows(EngineException.class, () -> file.begin(region.scan(TestTable.scan(), 0)));
      assertThrows(EngineException.class, file::finish, "before the end of the scan");
    }
    scan.close();
  }

  /** The call comes out of an upcall of another one. */
  @Test
  void aSinkThatComesBackToItsFileIsRefused() {
    NativeTableFile[] own = new NativeTableFile[1];
    TableSink back =
        bytes -> {
          assertEquals(
              ErrorKind.BUG,
              assertThrows(EngineException.class, () -> own[0].advance(new ScanInfo())).kind());
          take(bytes);
        };
    own[0] = file(mapping(), back);
    own[0].begin(region.scan(TestTable.scan(), 0));
    while (own[0].advance(info)) {}
    own[0].close();
    assertTrue(written.size() > 0);
  }

  @Test
  void numbersOfCellsAreChecked() {
    try (NativeTableFile file = file(mapping(), this::take)) {
      ByteBuffer none = ByteBuffer.allocateDirect(0);
      for (int[] counts : List.of(new int[0], new int[] {-1})) {
        assertEquals(
            ErrorKind.BUG,
            assertThrows(EngineException.class, () -> file.append(none, counts, 1)).kind());
      }
    }
  }

  @Test
  void aTableOfTextMayLackItsHeader() {
    TableFileRequest bare =
        new TableFileRequest(":key=k:string," + mapping(), "csv", null, true, null, false);
    try (NativeTableFile file = NativeTableFile.open(bare, this::take)) {
      file.begin(region.scan(TestTable.scan(), 0));
      while (file.advance(info)) {}
      file.finish();
    }
    List<String> lines = written.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(ROWS, lines.size());
    assertTrue(lines.get(0).startsWith(key(0) + ","));
  }

  @Test
  void aFileOfAvroHasItsMark() {
    TableFileRequest avro = new TableFileRequest(mapping(), "avro", "zstd", true, null, true);
    try (NativeTableFile file = NativeTableFile.open(avro, this::take)) {
      file.begin(region.scan(TestTable.scan(), 0));
      while (file.advance(info)) {}
      assertEquals(ROWS, file.finish().rows());
    }
    assertTrue(written.toString(StandardCharsets.ISO_8859_1).startsWith("Obj\u0001"));
  }

  /** A Parquet file of all rows. */
  private Path parquet(String name, String mapping) throws IOException {
    written.reset();
    TableFileRequest wanted = new TableFileRequest(mapping, "parquet", "snappy", true, null, true);
    try (NativeTableFile file = NativeTableFile.open(wanted, this::take)) {
      file.begin(region.scan(TestTable.scan(), 0));
      while (file.advance(info)) {}
      file.finish();
    }
    Path path = root.resolve(name);
    Files.write(path, written.toByteArray());
    written.reset();
    return path;
  }

  @Test
  void filesOfParquetAreMerged() throws IOException {
    String columns = ":key=k:string," + mapping();
    Path first = parquet("first", columns);
    Path second = parquet("second", columns);
    List<String> paths = List.of(first.toString(), second.toString());
    TableFileReport local = NativeTableFile.mergeParquet(paths, null, this::take);
    CRC32C checksum = new CRC32C();
    checksum.update(written.toByteArray());
    assertEquals(new TableFileReport(2 * ROWS, written.size(), checksum.getValue()), local);

    List<String> asked = new ArrayList<>();
    AtomicInteger open = new AtomicInteger();
    written.reset();
    FileOpener files =
        path -> {
          asked.add(path);
          return new Opened(root.resolve(path.substring("test:/".length())), open);
        };
    TableFileReport opened =
        NativeTableFile.mergeParquet(List.of("test:/first", "test:/second"), files, this::take);
    assertEquals(local, opened);
    assertEquals(List.of("test:/first", "test:/second"), asked);
    assertEquals(0, open.get(), "files that are open");
    Path merged = root.resolve("merged");
    Files.write(merged, written.toByteArray());
    TableFileReport twice =
        NativeTableFile.mergeParquet(
            List.of("file:" + merged, merged.toString()), null, TableFileTest::drain);
    assertEquals(4 * ROWS, twice.rows());
  }

  private static void drain(ByteBuffer bytes) {
    bytes.position(bytes.limit());
  }

  /** A local file that counts itself. */
  private static final class Opened implements OpenFile {
    private final FileChannel channel;
    private final AtomicInteger open;

    Opened(Path path, AtomicInteger open) throws IOException {
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
      this.open = open;
      open.incrementAndGet();
    }

    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, ByteBuffer into) throws IOException {
      for (long at = position; into.hasRemaining(); ) {
        at += channel.read(into, at);
      }
    }

    @Override
    public void close() throws IOException {
      open.decrementAndGet();
      channel.close();
    }
  }

  @Test
  void filesThatCannotBeMergedAreNamed() throws IOException {
    Path whole = parquet("whole", ":key=k:string," + mapping());
    Path other = parquet("other", ":key=k:bytes," + mapping());
    Path text = Files.writeString(root.resolve("text"), "no Parquet at all");
    TableSink full =
        bytes -> {
          throw new IOException("no space");
        };
    assertMergeFails(ErrorKind.BAD_REQUEST, "at least one", List.of(), null, this::take);
    assertMergeFails(ErrorKind.BAD_REQUEST, "other", both(whole, other), null, this::take);
    assertMergeFails(ErrorKind.CORRUPT, "text", both(whole, text), null, this::take);
    assertMergeFails(
        ErrorKind.IO, "missing", both(whole, root.resolve("missing")), null, this::take);
    assertMergeFails(ErrorKind.IO, "no space", both(whole, whole), null, full);
    FileOpener shut =
        path -> {
          throw new IOException("no entry to " + path);
        };
    assertMergeFails(ErrorKind.IO, "no entry to " + whole, both(whole, whole), shut, this::take);
  }

  private static List<String> both(Path first, Path second) {
    return List.of(first.toString(), second.toString());
  }

  private static void assertMergeFails(
      ErrorKind kind, String sentence, List<String> paths, FileOpener files, TableSink sink) {
    EngineException error =
        assertThrows(EngineException.class, () -> NativeTableFile.mergeParquet(paths, files, sink));
    assertEquals(kind, error.kind());
    assertTrue(error.getMessage().contains(sentence), error.getMessage());
  }

  @Test
  void aWrongRequestIsRefused() {
    for (TableFileRequest wrong :
        List.of(
            request("f", "csv"), request("f:q", "xml"), request("*", "csv"), deflated("parquet"))) {
      assertEquals(
          ErrorKind.BAD_REQUEST,
          assertThrows(EngineException.class, () -> NativeTableFile.open(wrong, this::take))
              .kind());
    }
    NativeTableFile.open(deflated("avro"), this::take).close();
    assertEquals(2, NativeTableFile.columns("f:q,f:p").size());
    assertThrows(EngineException.class, () -> NativeTableFile.columns(":"));
    TableMapping mapping = NativeTableFile.mapping("f:q=n:decimal(9,2)+ts,g:\\x00,:key=k:long");
    assertEquals("k", mapping.keyName());
    assertEquals("long", mapping.keyType());
    assertEquals("decimal(9,2)", mapping.columns().get(0).columnType());
    assertEquals("n_ts", mapping.columns().get(0).timestampName());
    assertArrayEquals(new byte[] {0}, mapping.columns().get(1).qualifier());
    assertNull(mapping.columns().get(1).timestampName());
    assertTrue(NativeTableFile.mapping("*").allCells());
    assertThrows(EngineException.class, () -> NativeTableFile.mapping("f"));
  }
}

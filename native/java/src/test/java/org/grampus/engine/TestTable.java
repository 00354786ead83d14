package org.grampus.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/** An engine with regions of one family, and requests in the encodings of docs/jni.md. */
final class TestTable implements AutoCloseable {
  private static final byte[] FAMILY = bytes("f");
  private static final int PUT_TYPE = 4;
  private static final int REQUEST_BYTES = 1024;
  private static final int NON_BLOCKING = 1;
  private static final int GET = 256;
  private static final int INCLUDE_START = 64;
  private static final byte[] NO_FILTER = {};
  private static final List<FamilyDescription> FAMILIES =
      List.of(
          new FamilyDescription(
              FAMILY,
              new FamilyDescription.Versions(1, 0, null, "FALSE", false, 0),
              new FamilyDescription.Files("NONE", null, 65536, "NONE"),
              null,
              null,
              null));

  private static final AtomicLong TOKENS = new AtomicLong();

  private final Path root;
  private final NativeEngine engine;

  TestTable(Path root, PatternCompiler patterns) {
    this.root = root;
    engine = NativeEngine.open(EngineConfig.DEFAULTS, patterns);
    engine.startWal(directory("WALs/server").toString(), directory("oldWALs").toString(), "server");
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Bytes that no encoding makes smaller. */
  static byte[] noise(int seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private Path directory(String name) {
    try {
      return Files.createDirectories(root.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  NativeEngine engine() {
    return engine;
  }

  NativeRegion open(String name) {
    return engine.openRegion(
        new RegionDescription(
            new RegionDescription.Place(
                "t",
                name,
                root.toString(),
                directory("data/default/t/" + name).toString(),
                null,
                new byte[0],
                new byte[0]),
            RegionDescription.RowOrder.BYTES,
            false,
            false,
            true,
            3,
            null,
            new RegionDescription.Limits(null, null, null, null),
            FAMILIES));
  }

  /** The files of a region, to be read without a server. */
  FrozenRegionRequest frozen(String name, SnapshotFiles files) {
    return frozen(root.toString(), name, files);
  }

  /** The same below a root as another program writes it. */
  static FrozenRegionRequest frozen(String rootDir, String name, SnapshotFiles files) {
    return new FrozenRegionRequest(
        new FrozenRegionRequest.Region(
            "t",
            name,
            rootDir,
            new byte[0],
            new byte[0],
            RegionDescription.RowOrder.BYTES,
            FAMILIES),
        files,
        1 << 30,
        1 << 20);
  }

  static long token() {
    return TOKENS.incrementAndGet();
  }

  static ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** A batch of one put. */
  static ByteBuffer batch() {
    ByteBuffer batch = buffer(REQUEST_BYTES);
    batch.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(1).putLong(0);
    batch.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(Integer.BYTES).putInt(1);
    return batch.flip();
  }

  /** A batch of one increment that returns its cell. */
  static ByteBuffer increment() {
    ByteBuffer batch = buffer(REQUEST_BYTES);
    batch.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(1).putLong(0);
    batch.put((byte) 3).put((byte) 0).putShort((short) 1).putInt(4 * Long.BYTES + Integer.BYTES);
    batch.putLong(0).putLong(0).putLong(Long.MAX_VALUE).putLong(Long.MAX_VALUE).putInt(1);
    return batch.flip();
  }

  /** The cell {@code row/f:q/1}. */
  static ByteBuffer cell(String row, byte[] value) {
    return cell(row, 'q', value);
  }

  private static ByteBuffer cell(String row, char qualifier, byte[] value) {
    byte[] key = bytes(row);
    int keyBytes = Short.BYTES + key.length + 1 + FAMILY.length + 1 + Long.BYTES + 1;
    int length = 2 * Integer.BYTES + keyBytes + value.length;
    ByteBuffer cell = ByteBuffer.allocateDirect(Integer.BYTES + length);
    cell.putInt(length).putInt(keyBytes).putInt(value.length);
    cell.putShort((short) key.length).put(key).put((byte) FAMILY.length).put(FAMILY);
    cell.put((byte) qualifier).putLong(1).put((byte) PUT_TYPE).put(value);
    return cell.flip();
  }

  static long put(EngineRegion region, String row, byte[] value) {
    return region.mutate(token(), batch(), cell(row, value), buffer(REQUEST_BYTES));
  }

  static long put(EngineRegion region, String row, char qualifier, byte[] value) {
    return region.mutate(token(), batch(), cell(row, qualifier, value), buffer(REQUEST_BYTES));
  }

  static ByteBuffer get(String row) {
    return spec(GET, bytes(row), NO_FILTER);
  }

  static ByteBuffer nonBlockingGet(String row, byte[] filter) {
    return spec(GET | NON_BLOCKING, bytes(row), filter);
  }

  static ByteBuffer get(String row, byte[] filter) {
    return spec(GET, bytes(row), filter);
  }

  static ByteBuffer scan() {
    return spec(INCLUDE_START, new byte[0], NO_FILTER);
  }

  static ByteBuffer scan(byte[] filter) {
    return spec(INCLUDE_START, new byte[0], filter);
  }

  /** A scan whose results have {@code cells} cells. */
  static ByteBuffer batchScan(int cells, byte[] filter) {
    return spec(INCLUDE_START, new byte[0], cells, new byte[0], filter);
  }

  /** A scan of a family. */
  static ByteBuffer familyScan(String family) {
    return spec(INCLUDE_START, new byte[0], -1, bytes(family), NO_FILTER);
  }

  private static ByteBuffer spec(int flags, byte[] start, byte[] filter) {
    return spec(flags, start, -1, new byte[0], filter);
  }

  private static ByteBuffer spec(int flags, byte[] start, int batch, byte[] family, byte[] filter) {
    ByteBuffer spec = buffer(REQUEST_BYTES);
    spec.put((byte) 1).put((byte) 0).putShort((short) 0).putInt(flags);
    spec.putInt(start.length).put(start).putInt(0);
    spec.putInt(1).putInt(-1).putInt(0).putInt(batch);
    spec.putLong(0).putLong(0).putLong(Long.MAX_VALUE);
    if (family.length == 0) {
      spec.putInt(0);
    } else {
      spec.putInt(1).putInt(family.length).put(family);
      spec.put((byte) 0).put((byte) 1).putInt(0);
    }
    spec.putInt(filter.length).put(filter);
    return spec.flip();
  }

  /** A value that a pattern occurs in, which only Java can decide. */
  static byte[] patternFilter() {
    byte[] pattern = bytes("(a)\\1");
    byte[] charset = bytes("UTF-8");
    ByteBuffer filter = ByteBuffer.allocate(REQUEST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    filter.put((byte) 4).put((byte) 2).put((byte) 8).putInt(pattern.length).put(pattern);
    filter.putInt(0).putInt(charset.length).put(charset).put((byte) PatternCompiler.JAVA);
    byte[] bytes = new byte[filter.position()];
    filter.flip().get(bytes);
    return bytes;
  }

  /** Rows whose only cell has this value, all or nothing of them. */
  static byte[] rowFilter(byte[] value) {
    ByteBuffer filter = ByteBuffer.allocate(REQUEST_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    filter.put((byte) 6).putInt(FAMILY.length).put(FAMILY).putInt(1).put((byte) 'q');
    filter.put((byte) 2).put((byte) 1).putInt(value.length).put(value);
    filter.put((byte) 1).put((byte) 1);
    byte[] bytes = new byte[filter.position()];
    filter.flip().get(bytes);
    return bytes;
  }

  static ScanLimits limits() {
    return new ScanLimits().count(1000, 0).size(Long.MAX_VALUE).time(60_000);
  }

  @Override
  public void close() {
    try {
      engine.close();
    } catch (EngineException e) {
      assertEquals(ErrorKind.IO, e.kind(), e::getMessage); // tests leave edits in the log alone
    }
  }
}

package org.grampus.perf.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.engine.CallStatus;
import org.grampus.engine.CompletionEntries;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.RegionDescription;

/**
 * An engine with one region of 10,000 rows of 1,000 bytes, flushed, below a directory that goes
 * with it.
 */
final class BenchRegion implements AutoCloseable {
  static final int ROWS = 10_000;
  private static final int BYTES = 4096;
  private static final long WAIT_MILLIS = 10_000;

  private final CompletionEntries completions = new CompletionEntries(1);
  private final Path root = Files.createTempDirectory("grampus-jmh-");
  private final NativeEngine engine;
  private final EngineRegion region;

  BenchRegion() throws IOException {
    engine = NativeEngine.open(EngineConfig.DEFAULTS, null);
    engine.startWal(directory("WALs/jmh"), directory("oldWALs"), "jmh");
    region = engine.openRegion(description());
    load();
  }

  EngineRegion region() {
    return region;
  }

  private String directory(String name) throws IOException {
    return Files.createDirectories(root.resolve(name)).toString();
  }

  private RegionDescription description() throws IOException {
    return new RegionDescription(
        new RegionDescription.Place(
            "t",
            "0123",
            root.toString(),
            directory("data/default/t/0123"),
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
        List.of(
            new FamilyDescription(
                Requests.FAMILY,
                new FamilyDescription.Versions(1, 0, null, "FALSE", false, 0),
                new FamilyDescription.Files("ROW", null, 65536, "NONE"),
                null,
                null,
                null)));
  }

  private void load() throws IOException {
    ByteBuf ops = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
    ByteBuf cells = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
    try {
      MutationBatchWriter batch = new MutationBatchWriter(ops, cells);
      RequestCells none = new RequestCells();
      ByteBuffer out = ByteBuffer.allocateDirect(BYTES);
      for (int row = 0; row < ROWS; row++) {
        batch.start(0, true);
        MutationAdapter.write(
            Requests.put(row).getMutation(), none.reset(null), Requests.FAMILIES, batch);
        batch.finish();
        apply(row + 1L, batch, out.clear());
      }
      region.flush();
    } finally {
      ops.release();
      cells.release();
    }
  }

  /**
   * Runs a batch and waits until its records are in the log.
   *
   * @throws IllegalStateException when it is not applied
   */
  void apply(long token, MutationBatchWriter batch, ByteBuffer out) {
    long result =
        region.mutate(
            token,
            batch.ops().internalNioBuffer(0, batch.ops().writerIndex()),
            batch.cells().internalNioBuffer(batch.cellsStart(), batch.cellsLength()),
            out);
    switch (CallStatus.status(result)) {
      case CallStatus.DONE -> {}
      case CallStatus.PENDING -> {
        if (engine.pollCompletions(completions, WAIT_MILLIS) != 1) {
          throw new IllegalStateException("a put is not in the log after " + WAIT_MILLIS + " ms");
        }
      }
      default -> throw new IllegalStateException("a put ended with " + CallStatus.status(result));
    }
  }

  @Override
  public void close() throws IOException {
    region.close(false);
    engine.close();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException error)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** A row that the region has not. */
  static byte[] absentRow() {
    return Bytes.toBytes("absent");
  }
}

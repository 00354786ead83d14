package org.grampus.server.region;

import java.nio.ByteBuffer;
import org.grampus.engine.NativeRegion;
import org.grampus.engine.NativeScanner;

/** {@link EngineRegion} over the native engine. */
final class NativeEngineRegion implements EngineRegion {
  private final NativeRegion region;

  NativeEngineRegion(NativeRegion region) {
    this.region = region;
  }

  @Override
  public long mutate(
      long token,
      ByteBuffer ops,
      int opsOffset,
      int opsLength,
      ByteBuffer cells,
      int cellsOffset,
      int cellsLength,
      ByteBuffer out,
      int outOffset,
      int outLength) {
    return region.mutate(
        token,
        ops,
        opsOffset,
        opsLength,
        cells,
        cellsOffset,
        cellsLength,
        out,
        outOffset,
        outLength);
  }

  @Override
  public long get(
      ByteBuffer spec,
      int specOffset,
      int specLength,
      ByteBuffer out,
      int outOffset,
      int outLength) {
    return region.get(spec, specOffset, specLength, out, outOffset, outLength);
  }

  @Override
  public EngineScanner openScanner(ByteBuffer spec, int specOffset, int specLength) {
    return new Scanner(region.openScanner(spec, specOffset, specLength));
  }

  private record Scanner(NativeScanner scanner) implements EngineScanner {
    @Override
    public long memoryBytes() {
      return scanner.memoryBytes();
    }

    @Override
    public void dropPages() {
      scanner.dropPages();
    }

    @Override
    public long next(
        int maxResults,
        int limitOfRows,
        long sizeLimit,
        long timeBudgetMillis,
        int flags,
        ByteBuffer out,
        int outOffset,
        int outLength,
        ByteBuffer info) {
      return scanner.next(
          maxResults,
          limitOfRows,
          sizeLimit,
          timeBudgetMillis,
          flags,
          out,
          outOffset,
          outLength,
          info);
    }

    @Override
    public void close() {
      scanner.close();
    }
  }
}

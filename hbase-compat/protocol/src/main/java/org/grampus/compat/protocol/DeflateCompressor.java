package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufInputStream;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** One gzip or zlib stream per cell block. */
final class DeflateCompressor implements CellBlockCompressor {
  private static final int STEP_BYTES = 16 * 1024;

  private final Wrapper<InputStream> reader;
  private final Wrapper<OutputStream> writer;

  /** Puts a stream around another. */
  private interface Wrapper<T> {
    T wrap(T stream) throws IOException;
  }

  private DeflateCompressor(Wrapper<InputStream> reader, Wrapper<OutputStream> writer) {
    this.reader = reader;
    this.writer = writer;
  }

  static DeflateCompressor gzip() {
    return new DeflateCompressor(GZIPInputStream::new, GZIPOutputStream::new);
  }

  static DeflateCompressor zlib() {
    return new DeflateCompressor(InflaterInputStream::new, DeflaterOutputStream::new);
  }

  @Override
  public ByteBuf compress(ByteBufAllocator allocator, ByteBuf block) throws IOException {
    ByteBuf out = allocator.directBuffer(Math.max(block.readableBytes() / 2, 256));
    try {
      try (OutputStream stream = writer.wrap(new ByteBufOutputStream(out))) {
        block.getBytes(block.readerIndex(), stream, block.readableBytes());
      }
      return out.retain();
    } finally {
      out.release();
    }
  }

  @Override
  public ByteBuf decompress(ByteBufAllocator allocator, ByteBuf block, int maxBytes, Growth growth)
      throws IOException {
    try (ExpandingBuffer out = new ExpandingBuffer(allocator, maxBytes, growth);
        InputStream stream = reader.wrap(new ByteBufInputStream(block.duplicate()))) {
      while (true) {
        if (out.isFull()) {
          if (stream.read() >= 0) {
            throw new ExpansionException(maxBytes);
          }
          return out.take();
        }
        out.ensure(1);
        if (out.buffer().writeBytes(stream, Math.min(STEP_BYTES, out.buffer().writableBytes()))
            < 0) {
          return out.take();
        }
      }
    }
  }
}

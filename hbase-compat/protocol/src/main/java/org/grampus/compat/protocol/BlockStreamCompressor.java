package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;

/**
 * Hadoop's block stream: {@code (int32 raw length | (int32 compressed length | bytes)* until the
 * raw length is reached)*}, big-endian.
 */
final class BlockStreamCompressor implements CellBlockCompressor {
  /**
   * Largest raw block written: below Hadoop's 256 KiB buffers less what its codecs keep as
   * overhead, so that every reader's buffer can take it.
   */
  static final int BLOCK_BYTES = 128 * 1024;

  private final BlockCodec codec;

  /** Compresses one block. */
  interface BlockCodec {
    int maxCompressedLength(int rawLength);

    /** Compresses into the output's writable bytes; the writer index is the caller's to move. */
    int compress(ByteBuf in, int offset, int length, ByteBuf out) throws IOException;

    /**
     * Appends the expanded block to the output.
     *
     * @param maxRaw the most that it may expand to
     * @return the bytes that it expanded to
     */
    int decompress(ByteBuf in, int offset, int length, ExpandingBuffer out, int maxRaw)
        throws IOException;
  }

  BlockStreamCompressor(BlockCodec codec) {
    this.codec = codec;
  }

  @Override
  public ByteBuf compress(ByteBufAllocator allocator, ByteBuf block) throws IOException {
    int end = block.writerIndex();
    ByteBuf out = allocator.directBuffer(Math.max(block.readableBytes() / 2, 256));
    try {
      for (int start = block.readerIndex(); start < end; ) {
        int length = Math.min(end - start, BLOCK_BYTES);
        writeBlock(block, start, length, out);
        start += length;
      }
      return out.retain();
    } finally {
      out.release();
    }
  }

  private void writeBlock(ByteBuf block, int start, int length, ByteBuf out) throws IOException {
    out.ensureWritable(2 * Integer.BYTES + codec.maxCompressedLength(length));
    out.writeInt(length);
    int lengthIndex = out.writerIndex();
    out.writeInt(0);
    int compressed = codec.compress(block, start, length, out);
    out.writerIndex(out.writerIndex() + compressed);
    out.setInt(lengthIndex, compressed);
  }

  @Override
  public ByteBuf decompress(ByteBufAllocator allocator, ByteBuf block, int maxBytes, Growth growth)
      throws IOException {
    ByteBuf in = block.duplicate();
    try (ExpandingBuffer out = new ExpandingBuffer(allocator, maxBytes, growth)) {
      while (in.isReadable()) {
        int raw = readLength(in, Integer.MAX_VALUE);
        if (raw > maxBytes - out.buffer().readableBytes()) {
          throw new ExpansionException(maxBytes);
        }
        while (raw > 0) {
          raw -= readChunk(in, raw, out);
        }
      }
      return out.take();
    }
  }

  private int readChunk(ByteBuf in, int rawLeft, ExpandingBuffer out) throws IOException {
    int compressed = readLength(in, in.readableBytes() - Integer.BYTES);
    int raw = codec.decompress(in, in.readerIndex(), compressed, out, rawLeft);
    if (raw <= 0) {
      throw new IOException("compressed chunk of no bytes");
    }
    in.skipBytes(compressed);
    return raw;
  }

  private static int readLength(ByteBuf in, int max) throws IOException {
    if (in.readableBytes() < Integer.BYTES) {
      throw new IOException("truncated compressed cell block");
    }
    int length = in.readInt();
    if (length < 0 || length > max) {
      throw new IOException("compressed cell block claims " + length + " bytes of " + max);
    }
    return length;
  }
}

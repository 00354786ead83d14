package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.xerial.snappy.Snappy;

/** Raw Snappy blocks. */
final class SnappyBlocks implements BlockStreamCompressor.BlockCodec {
  /** Three bytes repeat at most 64. */
  private static final int MAX_EXPANSION = 22;

  @Override
  public int maxCompressedLength(int rawLength) {
    return Snappy.maxCompressedLength(rawLength);
  }

  @Override
  public int compress(ByteBuf in, int offset, int length, ByteBuf out) throws IOException {
    byte[] raw = bytes(in, offset, length);
    byte[] compressed = new byte[Snappy.maxCompressedLength(length)];
    int size = Snappy.compress(raw, 0, length, compressed, 0);
    out.setBytes(out.writerIndex(), compressed, 0, size);
    return size;
  }

  @Override
  public int decompress(ByteBuf in, int offset, int length, ExpandingBuffer out, int maxRaw)
      throws IOException {
    ByteBuffer from = direct(in.nioBuffer(offset, length));
    int raw = Snappy.uncompressedLength(from);
    if (raw < 0 || raw > maxRaw || raw > MAX_EXPANSION * (length + 1L)) {
      throw new IOException(
          "compressed chunk of " + length + " bytes claims " + raw + " where " + maxRaw + " fit");
    }
    out.ensure(raw);
    ByteBuf to = out.buffer();
    int size = Snappy.uncompress(from, to.nioBuffer(to.writerIndex(), raw));
    to.writerIndex(to.writerIndex() + size);
    return size;
  }

  /** Frames are direct; what is not comes from elsewhere and is small. */
  private static ByteBuffer direct(ByteBuffer bytes) {
    return bytes.isDirect()
        ? bytes
        : ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
  }

  private static byte[] bytes(ByteBuf in, int offset, int length) {
    byte[] copy = new byte[length];
    in.getBytes(offset, copy);
    return copy;
  }
}

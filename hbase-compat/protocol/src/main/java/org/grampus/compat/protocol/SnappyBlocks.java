package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import org.xerial.snappy.Snappy;

/** Raw Snappy blocks. */
final class SnappyBlocks implements BlockStreamCompressor.BlockCodec {
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
  public int decompress(ByteBuf in, int offset, int length, ByteBuf out, int maxRaw)
      throws IOException {
    byte[] compressed = bytes(in, offset, length);
    int raw = Snappy.uncompressedLength(compressed);
    if (raw < 0 || raw > maxRaw) {
      throw new IOException("compressed chunk of " + raw + " bytes where " + maxRaw + " fit");
    }
    byte[] expanded = new byte[raw];
    int size = Snappy.uncompress(compressed, 0, length, expanded, 0);
    out.writeBytes(expanded, 0, size);
    return size;
  }

  private static byte[] bytes(ByteBuf in, int offset, int length) {
    byte[] copy = new byte[length];
    in.getBytes(offset, copy);
    return copy;
  }
}

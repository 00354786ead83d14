package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/** Raw LZ4 blocks. */
final class Lz4Blocks implements BlockStreamCompressor.BlockCodec {
  /** LZ4 codes at most 255 bytes of a match per byte. */
  private static final int MAX_EXPANSION = 256;

  private final LZ4Compressor compressor = LZ4Factory.safeInstance().fastCompressor();
  private final LZ4SafeDecompressor decompressor = LZ4Factory.safeInstance().safeDecompressor();

  @Override
  public int maxCompressedLength(int rawLength) {
    return compressor.maxCompressedLength(rawLength);
  }

  @Override
  public int compress(ByteBuf in, int offset, int length, ByteBuf out) throws IOException {
    byte[] compressed = compressor.compress(bytes(in, offset, length));
    out.setBytes(out.writerIndex(), compressed);
    return compressed.length;
  }

  @Override
  public int decompress(ByteBuf in, int offset, int length, ExpandingBuffer out, int maxRaw)
      throws IOException {
    // a block does not say how long it was; writers keep each below what they announced
    int most = (int) Math.min(maxRaw, (long) MAX_EXPANSION * length);
    out.ensure(most);
    ByteBuf to = out.buffer();
    try {
      int size =
          decompressor.decompress(
              in.nioBuffer(offset, length),
              0,
              length,
              to.nioBuffer(to.writerIndex(), most),
              0,
              most);
      to.writerIndex(to.writerIndex() + size);
      return size;
    } catch (LZ4Exception e) {
      throw new IOException("malformed LZ4 chunk", e);
    }
  }

  private static byte[] bytes(ByteBuf in, int offset, int length) {
    byte[] copy = new byte[length];
    in.getBytes(offset, copy);
    return copy;
  }
}

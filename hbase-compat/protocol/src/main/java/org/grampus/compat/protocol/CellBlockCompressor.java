package org.grampus.compat.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException;

/** Compresses whole cell blocks as one of Hadoop's stream codecs does. Any thread. */
public interface CellBlockCompressor {
  /** Compresses the readable bytes into a new direct buffer; the input stays the caller's. */
  ByteBuf compress(ByteBufAllocator allocator, ByteBuf block) throws IOException;

  /**
   * Expands the readable bytes into a new direct buffer; the input stays the caller's.
   *
   * @param maxBytes the largest result to make; a larger one is an {@link ExpansionException}
   * @param growth asked before the buffer is made and before each time it grows
   */
  ByteBuf decompress(ByteBufAllocator allocator, ByteBuf block, int maxBytes, Growth growth)
      throws IOException;

  /** Accounts for the memory of an expansion; what it throws ends the expansion. */
  interface Growth {
    /** A buffer changes its size: both exist while the bytes are copied. */
    void resize(int fromBytes, int toBytes) throws IOException;
  }

  /** A block that expands to more than it may. */
  final class ExpansionException extends IOException {
    private static final long serialVersionUID = 1L;

    ExpansionException(int maxBytes) {
      super("cell block expands to more than " + maxBytes + " bytes");
    }
  }

  /** The compressor for the Hadoop codec class that a connection header names. */
  static CellBlockCompressor named(String codecClass) throws UnsupportedCompressionCodecException {
    return switch (codecClass) {
      case "org.apache.hadoop.io.compress.SnappyCodec",
              "org.apache.hadoop.hbase.io.compress.xerial.SnappyCodec" ->
          new BlockStreamCompressor(new SnappyBlocks());
      case "org.apache.hadoop.io.compress.Lz4Codec" -> new BlockStreamCompressor(new Lz4Blocks());
      case "org.apache.hadoop.io.compress.GzipCodec",
              "org.apache.hadoop.hbase.io.compress.ReusableStreamGzipCodec" ->
          DeflateCompressor.gzip();
      case "org.apache.hadoop.io.compress.DefaultCodec",
              "org.apache.hadoop.io.compress.DeflateCodec" ->
          DeflateCompressor.zlib();
      default -> throw new UnsupportedCompressionCodecException(codecClass);
    };
  }
}

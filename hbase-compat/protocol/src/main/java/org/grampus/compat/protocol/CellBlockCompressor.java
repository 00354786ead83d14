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
   * @param maxBytes the largest result to make; a larger one is an IOException
   */
  ByteBuf decompress(ByteBufAllocator allocator, ByteBuf block, int maxBytes) throws IOException;

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

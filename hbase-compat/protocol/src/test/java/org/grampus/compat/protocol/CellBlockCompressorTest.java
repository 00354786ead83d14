package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionInputStream;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Our compressors against Hadoop's codecs, both ways. */
class CellBlockCompressorTest {
  private static final ByteBufAllocator ALLOCATOR = PooledByteBufAllocator.DEFAULT;
  private static final int MAX_BYTES = 4 << 20;

  private static CompressionCodec hadoop(String name) throws ClassNotFoundException {
    return (CompressionCodec)
        ReflectionUtils.newInstance(Class.forName(name), new Configuration(false));
  }

  /** Half of it repeats, so that there is something to compress and something not. */
  private static byte[] data(int length) {
    byte[] data = new byte[length];
    Random random = new Random(length);
    for (int i = 0; i < length; i++) {
      data[i] = (byte) ((i / 512) % 2 == 0 ? i % 7 : random.nextInt());
    }
    return data;
  }

  private static byte[] take(ByteBuf buffer) {
    byte[] bytes = ByteBufUtil.getBytes(buffer);
    buffer.release();
    return bytes;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.io.compress.SnappyCodec",
        "org.apache.hadoop.io.compress.Lz4Codec",
        "org.apache.hadoop.io.compress.GzipCodec",
        "org.apache.hadoop.io.compress.DefaultCodec"
      })
  void hadoopReadsOursAndWeReadHadoops(String name) throws Exception {
    CompressionCodec theirs = hadoop(name);
    CellBlockCompressor ours = CellBlockCompressor.named(name);
    for (int length : new int[] {1, 100, 4096, 131_072, 131_073, 300_000, 1_500_000}) {
      byte[] raw = data(length);
      byte[] compressed = take(ours.compress(ALLOCATOR, Unpooled.wrappedBuffer(raw)));
      try (CompressionInputStream in =
          theirs.createInputStream(new ByteArrayInputStream(compressed))) {
        assertArrayEquals(raw, in.readAllBytes());
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (OutputStream out = theirs.createOutputStream(bytes)) {
        out.write(raw);
      }
      assertArrayEquals(
          raw,
          take(
              ours.decompress(
                  ALLOCATOR,
                  Unpooled.wrappedBuffer(bytes.toByteArray()),
                  MAX_BYTES,
                  (from, to) -> {})));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.hadoop.io.compress.SnappyCodec",
        "org.apache.hadoop.io.compress.Lz4Codec",
        "org.apache.hadoop.io.compress.GzipCodec",
        "org.apache.hadoop.io.compress.DefaultCodec"
      })
  void expansionIsLimitedAndDamageIsAnError(String name) throws Exception {
    CellBlockCompressor ours = CellBlockCompressor.named(name);
    byte[] compressed =
        take(ours.compress(ALLOCATOR, Unpooled.wrappedBuffer(new byte[MAX_BYTES + 1])));
    assertThrows(
        IOException.class,
        () ->
            ours.decompress(
                ALLOCATOR, Unpooled.wrappedBuffer(compressed), MAX_BYTES, (from, to) -> {}));
    Random random = new Random(7);
    byte[] small = take(ours.compress(ALLOCATOR, Unpooled.wrappedBuffer(data(2000))));
    for (int round = 0; round < 2000; round++) {
      byte[] damaged = small.clone();
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 + random.nextInt(255));
      try {
        ours.decompress(ALLOCATOR, Unpooled.wrappedBuffer(damaged), 10_000, (from, to) -> {})
            .release();
      } catch (IOException e) {
        continue; // damage that shows; some of it only changes literal bytes
      }
    }
  }

  @Test
  void otherCodecsAreRefused() {
    assertThrows(
        UnsupportedCompressionCodecException.class,
        () -> CellBlockCompressor.named("org.apache.hadoop.io.compress.BZip2Codec"));
  }
}

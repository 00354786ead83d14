package org.grampus.compat.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.junit.jupiter.api.Test;

class VarintTest {
  @Test
  void whatProtobufWritesComesBack() throws IOException {
    for (int value : new int[] {0, 1, 127, 128, 300, 16_383, 16_384, 1 << 28, Integer.MAX_VALUE}) {
      byte[] bytes = new byte[Varint.size(value)];
      CodedOutputStream out = CodedOutputStream.newInstance(bytes);
      out.writeUInt32NoTag(value);
      out.checkNoSpaceLeft();
      ByteBuf buffer = Unpooled.wrappedBuffer(bytes);
      assertEquals(value, Varint.readLength(buffer));
    }
  }

  @Test
  void impossibleLengthsAreRefused() {
    assertThrows(IOException.class, () -> Varint.readLength(bytes()));
    assertThrows(IOException.class, () -> Varint.readLength(bytes(0x80)));
    assertThrows(IOException.class, () -> Varint.readLength(bytes(255, 255, 255, 255, 15)));
    assertThrows(IOException.class, () -> Varint.readLength(bytes(128, 128, 128, 128, 128, 1)));
  }

  private static ByteBuf bytes(int... values) {
    ByteBuf buffer = Unpooled.buffer();
    for (int value : values) {
      buffer.writeByte(value);
    }
    return buffer;
  }
}

package org.grampus.mapreduce.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class PrintedBytesTest {
  @Test
  void textIsUtf8AndBytesAreWrittenInHexadecimalDigits() {
    assertArrayEquals(new byte[0], PrintedBytes.parse(""));
    assertArrayEquals(Bytes.toBytes("aä\"b"), PrintedBytes.parse("aä\"b"));
    assertArrayEquals(
        new byte[] {(byte) 0xFA, 'g', 0, (byte) 0xFA}, PrintedBytes.parse("\\xfag\\x00\\xFA"));
    assertArrayEquals(Bytes.toBytes("\\x41"), PrintedBytes.parse("\\\\x41"));
  }

  @Test
  void otherBackslashesAreRefused() {
    for (String text : new String[] {"\\", "a\\", "\\x", "\\x4", "\\xg0", "\\n", "a\\x,"}) {
      assertThrows(IllegalArgumentException.class, () -> PrintedBytes.parse(text), text);
    }
  }
}

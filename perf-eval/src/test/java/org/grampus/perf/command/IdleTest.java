package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class IdleTest {
  @Test
  void regionsBeginAtKeysInOrder() {
    assertArrayEquals(
        new byte[][] {Bytes.toBytes("00000001"), Bytes.toBytes("00000002")}, Idle.starts(3));
    assertEquals(0, Idle.starts(1).length);
    assertEquals(999, Idle.starts(1000).length);
  }
}

package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

final class TableDumpTest {
  private static final byte[] ROW = {(byte) 0xFF, 0};
  private static final byte[] F = Bytes.toBytes("f");

  @Test
  void aLineHasAllThatServersMustAgreeOn() {
    assertEquals(
        "\\xFF\\x00/f:/7/Put=", TableDump.line(new KeyValue(ROW, F, new byte[0], 7, new byte[0])));
    assertEquals(
        "\\xFF\\x00/f:q/7/DeleteColumn=",
        TableDump.line(new KeyValue(ROW, F, Bytes.toBytes("q"), 7, KeyValue.Type.DeleteColumn)));
  }
}

package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.Test;

/** HBase's names for its logs. */
class LogStreamKindTest {
  private static LogStreamKind of(String provider) {
    Configuration conf = HBaseConfiguration.create();
    conf.set(LogStreamKind.KEY, provider);
    return LogStreamKind.of(conf);
  }

  @Test
  void hbasesNamesMeanWhatTheyMeanThere() {
    assertEquals(LogStreamKind.FAN_OUT, LogStreamKind.of(HBaseConfiguration.create()));
    assertEquals(LogStreamKind.FAN_OUT, of("defaultProvider"));
    assertEquals(LogStreamKind.FAN_OUT, of(" asyncfs "));
    assertEquals(LogStreamKind.PIPELINE, of("filesystem"));
    assertEquals(LogStreamKind.FAN_OUT, of("org.apache.hadoop.hbase.wal.AsyncFSWALProvider"));
    assertEquals(LogStreamKind.PIPELINE, of("org.apache.hadoop.hbase.wal.FSHLogProvider"));
  }

  @Test
  void otherLogsAreRefusedByName() {
    for (String other :
        new String[] {"multiwal", "org.apache.hadoop.hbase.wal.DisabledWALProvider", "AsyncFS"}) {
      String refusal = assertThrows(IllegalArgumentException.class, () -> of(other)).getMessage();
      assertTrue(refusal.startsWith("hbase.wal.provider is \"" + other + "\""), refusal);
      assertTrue(refusal.endsWith("give asyncfs or filesystem"), refusal);
    }
  }
}

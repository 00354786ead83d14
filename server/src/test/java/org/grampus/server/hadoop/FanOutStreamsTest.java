package org.grampus.server.hadoop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** The blocks of segments. */
class FanOutStreamsTest {
  @Test
  void aBlockIsWhatTheNameNodeTakes() {
    Configuration conf = new Configuration(false);
    assertEquals(256 << 20, FanOutStreams.blockBytes(conf, 256 << 20));
    assertEquals(1 << 20, FanOutStreams.blockBytes(conf, 1));
    conf.setLong("dfs.namenode.fs-limits.min-block-size", 1000);
    assertEquals(1024, FanOutStreams.blockBytes(conf, 1));
    assertEquals(0, FanOutStreams.blockBytes(conf, Long.MAX_VALUE) % 512);
    assertTrue(FanOutStreams.blockBytes(conf, Long.MAX_VALUE) > 1L << 62);
  }
}

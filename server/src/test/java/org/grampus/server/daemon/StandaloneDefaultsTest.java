package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.junit.jupiter.api.Test;

class StandaloneDefaultsTest {
  /** Master and server share the settings, but not their addresses. */
  @Test
  void theMastersPagesAreOnLoopbackAndItsFiltersAreNotTheServers() {
    var conf = HBaseConfiguration.create();
    conf.unset("hbase.master.info.bindAddress");
    String filters = conf.get("hbase.http.filter.initializers");
    StandaloneDefaults.apply(conf, Path.of("/nowhere"));
    assertEquals("127.0.0.1", conf.get("hbase.master.info.bindAddress"));
    assertEquals(filters, conf.get("hbase.http.filter.initializers"));
  }
}

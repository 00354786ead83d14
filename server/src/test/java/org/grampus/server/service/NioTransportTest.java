package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.server.testkit.LocalCluster;
import org.grampus.server.testkit.PooledMemory;
import org.junit.jupiter.api.Test;

/** The server where there is no epoll. */
class NioTransportTest {
  @Test
  void getSeesPut() throws IOException {
    long buffersBefore = PooledMemory.buffersInUse();
    byte[] name = Bytes.toBytes("f");
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.netty.nativetransport", false);
    try (LocalCluster cluster = new LocalCluster(conf)) {
      cluster.addRegion("", "");
      try (Connection connection =
              ConnectionFactory.createConnection(cluster.clientConfiguration());
          Table table = connection.getTable(LocalCluster.TABLE)) {
        byte[] value = new byte[100_000];
        value[5] = 5;
        table.put(new Put(name).addColumn(name, name, value));
        assertEquals(5, table.get(new Get(name)).value()[5]);
      }
    }
    PooledMemory.assertBuffersInUse(buffersBefore);
  }
}

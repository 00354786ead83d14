package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class OnlineRegionTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final long FLUSH_BYTES = 1 << 20;

  private final AtomicInteger asked = new AtomicInteger();

  private TableDescriptor counted(TableDescriptor table) {
    return (TableDescriptor)
        Proxy.newProxyInstance(
            TableDescriptor.class.getClassLoader(),
            new Class<?>[] {TableDescriptor.class},
            (proxy, method, arguments) -> {
              asked.incrementAndGet();
              return method.invoke(table, arguments);
            });
  }

  /** Clients are told of it with each answer, and a descriptor's values are a Configuration. */
  @Test
  void theFlushSizeIsReadOnceFromTheDescriptor() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(NAME)
            .setValue(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, Long.toString(FLUSH_BYTES))
            .build();
    OnlineRegion region =
        new OnlineRegion(RegionInfoBuilder.newBuilder(NAME).build(), counted(table), null, 1);
    int atOpen = asked.get();
    assertEquals(FLUSH_BYTES, region.flushBytes());
    assertEquals(atOpen, asked.get());
  }
}

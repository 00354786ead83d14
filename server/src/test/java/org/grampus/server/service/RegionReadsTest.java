package org.grampus.server.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionDefaults;
import org.junit.jupiter.api.Test;

/** What a region has for reads that say nothing: here of families that are read on demand. */
class RegionReadsTest {
  private static final TableName NAME = TableName.valueOf("t");

  /** Where flags begin in a spec (docs/jni.md), and LOAD_ON_DEMAND. */
  private static final int FLAGS_OFFSET = 4;

  private static final int LOAD_ON_DEMAND = 512;

  private static OnlineRegion region(boolean loadsOnDemand) {
    return new OnlineRegion(
        RegionInfoBuilder.newBuilder(NAME).build(),
        TableDescriptorBuilder.newBuilder(NAME)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build(),
        null,
        1,
        new RegionDefaults(loadsOnDemand, false));
  }

  private static boolean onDemand(ByteBuf spec) {
    return (spec.getIntLE(FLAGS_OFFSET) & LOAD_ON_DEMAND) != 0;
  }

  private static boolean scans(boolean byDefault, Boolean said) throws IOException {
    Scan scan = new Scan();
    if (said != null) {
      scan.setLoadColumnFamiliesOnDemand(said);
    }
    ByteBuf spec = Unpooled.buffer();
    RegionReads.write(ProtobufUtil.toScan(scan), region(byDefault), spec);
    return onDemand(spec);
  }

  private static boolean gets(boolean byDefault, Boolean said) throws IOException {
    Get get = new Get(new byte[] {1});
    if (said != null) {
      get.setLoadColumnFamiliesOnDemand(said);
    }
    ByteBuf spec = Unpooled.buffer();
    RegionReads.write(ProtobufUtil.toGet(get), region(byDefault), true, spec);
    return onDemand(spec);
  }

  @Test
  void theRequestGoesBeforeTheRegion() throws IOException {
    for (boolean byDefault : new boolean[] {false, true}) {
      for (boolean said : new boolean[] {false, true}) {
        assertEquals(said, scans(byDefault, said));
        assertEquals(said, gets(byDefault, said));
      }
      assertEquals(byDefault, scans(byDefault, null));
      assertEquals(byDefault, gets(byDefault, null));
    }
  }
}

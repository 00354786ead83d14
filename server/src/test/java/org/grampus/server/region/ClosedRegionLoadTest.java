package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClusterStatusProtos.RegionLoad;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The load of regions, one of which is closed between the listing and the look. */
class ClosedRegionLoadTest {
  private static final TableName NAME = TableName.valueOf("t");
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(NAME)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .build();

  @TempDir Path root;

  private OnlineRegion open(NativeEngine engine, String start, String end) throws Exception {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(NAME)
            .setStartKey(Bytes.toBytes(start))
            .setEndKey(Bytes.toBytes(end))
            .build();
    Path directory = root.resolve("data/default/t").resolve(info.getEncodedName());
    Files.createDirectories(directory.resolve("f"));
    NativeRegion region =
        engine.openRegion(
            RegionRequest.of(
                info,
                TABLE,
                new Configuration(false),
                root.toString(),
                directory.toString(),
                null));
    return new OnlineRegion(info, TABLE, region, 1);
  }

  @Test
  void aClosedRegionIsLeftOut() throws Exception {
    Path wals = Files.createDirectories(root.resolve("WALs/server"));
    Path archive = Files.createDirectories(root.resolve("oldWALs"));
    try (NativeEngine engine = NativeEngine.open(EngineConfig.DEFAULTS)) {
      engine.startWal(wals.toString(), archive.toString(), "server");
      OnlineRegion lower = open(engine, "", "m");
      OnlineRegion upper = open(engine, "m", "");
      lower.engine().close(false);
      List<RegionLoad> loads = LoadReport.regions(List.of(lower, upper), engine.regionStats());
      upper.engine().close(false);
      assertEquals(
          List.of(upper.name()),
          loads.stream().map(load -> load.getRegionSpecifier().getValue()).toList());
    }
  }
}

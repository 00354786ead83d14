package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.SnapshotVerifyCallable;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SnapshotVerifyParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException;
import org.grampus.server.region.LocalSnapshot;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.SnapshotVerifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegionProceduresTest {
  /** From a number of regions on, the master has no other look at them. */
  @Test
  void aSnapshotIsVerified(@TempDir Path root) throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    SnapshotDescription snapshot =
        new LocalSnapshot(root, conf).begin(SnapshotDescription.Type.FLUSH, 2);
    SnapshotVerifyParameter parameter =
        SnapshotVerifyParameter.newBuilder()
            .setSnapshot(snapshot)
            .setRegion(
                ProtobufUtil.toRegionInfo(
                    RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build()))
            .build();
    RegionProcedures procedures =
        new RegionProcedures(null, null, null, null, new SnapshotVerifier(new RegionFiles(conf)));
    assertInstanceOf(
        CorruptedSnapshotException.class,
        procedures.run(SnapshotVerifyCallable.class.getName(), parameter.toByteString()));
  }
}

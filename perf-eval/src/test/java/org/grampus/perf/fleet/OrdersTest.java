package org.grampus.perf.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest.RegionOpenInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.junit.jupiter.api.Test;

final class OrdersTest {
  private static final long FIRST = 100;
  private static final long SECOND = 200;
  private static final long MASTER_TIME = 7;
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build();

  private final StubServer first = new StubServer(ServerName.valueOf("127.1.0.1", 1, FIRST));
  private final StubServer second = new StubServer(ServerName.valueOf("127.1.0.2", 1, SECOND));
  private final List<String> reported = new ArrayList<>();
  private final Orders orders =
      new Orders(Map.of(FIRST, first, SECOND, second)::get, new Recorded());

  @Test
  void anOrderIsForTheServerOfItsStartCode() throws Exception {
    orders.take(open(SECOND, 1));
    assertEquals(List.of("opened " + second.name() + " 1 7"), reported);
  }

  @Test
  void aBatchThatIsRepeatedIsDoneOnce() throws Exception {
    orders.take(open(FIRST, 1));
    orders.take(open(FIRST, 1));
    orders.take(close(FIRST, 2));
    orders.take(close(FIRST, 2));
    assertEquals(
        List.of("opened " + first.name() + " 1 7", "closed " + first.name() + " 2 7"), reported);
  }

  @Test
  void aDeadServerTakesNoOrder() {
    assertThrows(DoNotRetryIOException.class, () -> orders.take(open(300, 1)));
    assertThrows(DoNotRetryIOException.class, () -> orders.take(close(300, 2)));
    assertEquals(List.of(), reported);
  }

  @Test
  void whatHasToDoWithFilesIsRefused() throws Exception {
    orders.take(
        ExecuteProceduresRequest.newBuilder()
            .addProc(
                RemoteProcedureRequest.newBuilder()
                    .setProcId(3)
                    .setProcClass("SplitWALCallable")
                    .setInitiatingMasterActiveTime(MASTER_TIME))
            .build());
    assertEquals(List.of("refused 3 7"), reported);
  }

  private static ExecuteProceduresRequest open(long startCode, long procedure) {
    return ExecuteProceduresRequest.newBuilder()
        .addOpenRegion(
            OpenRegionRequest.newBuilder()
                .setServerStartCode(startCode)
                .setInitiatingMasterActiveTime(MASTER_TIME)
                .addOpenInfo(
                    RegionOpenInfo.newBuilder()
                        .setRegion(ProtobufUtil.toRegionInfo(REGION))
                        .setOpenProcId(procedure)))
        .build();
  }

  private static ExecuteProceduresRequest close(long startCode, long procedure) {
    return ExecuteProceduresRequest.newBuilder()
        .addCloseRegion(
            ProtobufUtil.buildCloseRegionRequest(
                    ServerName.valueOf("127.1.0.1", 1, startCode),
                    REGION.getRegionName(),
                    null,
                    procedure)
                .toBuilder()
                .setInitiatingMasterActiveTime(MASTER_TIME))
        .build();
  }

  private final class Recorded implements Reports {
    @Override
    public void opened(StubServer server, RegionInfo region, Origin origin) {
      assertEquals(REGION, region);
      add("opened " + server.name(), origin);
    }

    @Override
    public void closed(StubServer server, RegionInfo region, Origin origin) {
      assertEquals(REGION, region);
      add("closed " + server.name(), origin);
    }

    @Override
    public void refused(Origin origin) {
      add("refused", origin);
    }

    private void add(String what, Origin origin) {
      reported.add(what + " " + origin.procedureId() + " " + origin.masterActiveTime());
    }
  }
}

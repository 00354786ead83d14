package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.compat.suite.target.ServerKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Snapshots as clients before 2.6 ask for them: without a nonce, and by name whether it is done.
 */
class SnapshotWithoutNonceTest extends CompatTest {
  private static final long DONE_SECONDS_MAX = 60;

  private SnapshotDescription snapshot;
  private TableName clone;
  private MasterService.BlockingInterface master;

  @BeforeEach
  void findMaster() throws IOException {
    snapshot =
        SnapshotDescription.newBuilder()
            .setName(name.getNameAsString() + "Snapshot")
            .setTable(name.getNameAsString())
            .build();
    clone = TableName.valueOf(name.getNameAsString() + "Clone");
    master = ((ClusterConnection) connection).getMaster();
  }

  @AfterEach
  void drop() throws IOException {
    if (admin.listSnapshots().stream().anyMatch(s -> s.getName().equals(snapshot.getName()))) {
      admin.deleteSnapshot(snapshot.getName());
    }
    if (admin.tableExists(clone)) {
      admin.disableTable(clone);
      admin.deleteTable(clone);
    }
  }

  private void take() throws ServiceException {
    master.snapshot(null, SnapshotRequest.newBuilder().setSnapshot(snapshot).build());
  }

  private boolean isDone() throws ServiceException {
    IsSnapshotDoneRequest request =
        IsSnapshotDoneRequest.newBuilder().setSnapshot(snapshot).build();
    return master.isSnapshotDone(null, request).getDone();
  }

  private void awaitDone() throws Exception {
    long end = System.nanoTime() + DONE_SECONDS_MAX * 1_000_000_000L;
    while (!isDone()) {
      assertTrue(System.nanoTime() - end < 0, "the snapshot does not end");
      Thread.sleep(20);
    }
  }

  private static IOException cause(ServiceException e) {
    return ProtobufUtil.handleRemoteException(e);
  }

  @Test
  void itHasTheRowsOfItsTime() throws Exception {
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    take();
    awaitDone();
    assertTrue(isDone(), "also when asked again");
    table.put(new Put(b("b")).addColumn(F, Q, b("v")));
    admin.cloneSnapshot(snapshot.getName(), clone);
    try (Table source = connection.getTable(clone);
        ResultScanner scanner = source.getScanner(new Scan())) {
      assertEquals(
          List.of("a"),
          List.of(scanner.next(10)).stream().map(Result::getRow).map(String::new).toList());
    }
  }

  @Test
  void aTableIsTakenBesideAMove() throws Exception {
    assumeTrue(
        SharedServer.kind() == ServerKind.GRAMPUS,
        "stock HBase fails such a snapshot of a region that is closed");
    table.put(new Put(b("a")).addColumn(F, Q, b("v")));
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    admin.unassign(region);
    take();
    admin.assign(region);
    awaitDone();
    admin.cloneSnapshot(snapshot.getName(), clone);
    assertTrue(admin.isTableAvailable(clone));
  }

  @Test
  void oneThatExistsIsNotTakenAgain() throws Exception {
    take();
    awaitDone();
    ServiceException refused = assertThrows(ServiceException.class, this::take);
    assertEquals(SnapshotExistsException.class, cause(refused).getClass());
  }

  @Test
  void oneThatNobodyAskedForIsUnknown() {
    ServiceException unknown = assertThrows(ServiceException.class, this::isDone);
    assertEquals(UnknownSnapshotException.class, cause(unknown).getClass());
  }
}

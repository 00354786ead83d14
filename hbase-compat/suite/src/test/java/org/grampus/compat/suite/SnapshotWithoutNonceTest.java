package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ClusterConnection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.AbortProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.IsSnapshotDoneRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.MasterService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.SnapshotResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.snapshot.HBaseSnapshotException;
import org.apache.hadoop.hbase.snapshot.SnapshotExistsException;
import org.apache.hadoop.hbase.snapshot.UnknownSnapshotException;
import org.apache.hadoop.hbase.util.Bytes;
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

  private SnapshotResponse take() throws ServiceException {
    return master.snapshot(null, SnapshotRequest.newBuilder().setSnapshot(snapshot).build());
  }

  private boolean isDone() throws ServiceException {
    IsSnapshotDoneRequest request =
        IsSnapshotDoneRequest.newBuilder().setSnapshot(snapshot).build();
    return master.isSnapshotDone(null, request).getDone();
  }

  private boolean abort(long procedure) throws ServiceException {
    AbortProcedureRequest request = AbortProcedureRequest.newBuilder().setProcId(procedure).build();
    return master.abortProcedure(null, request).getIsProcedureAborted();
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

  private void put(String row) throws IOException {
    table.put(new Put(b(row)).addColumn(F, Q, b("v")));
  }

  private List<String> rowsOfClone() throws IOException {
    admin.cloneSnapshot(snapshot.getName(), clone);
    List<String> rows = new ArrayList<>();
    try (Table source = connection.getTable(clone);
        ResultScanner scanner = source.getScanner(new Scan())) {
      scanner.forEach(result -> rows.add(Bytes.toString(result.getRow())));
    }
    return rows;
  }

  private static void assumeProcedures() {
    assumeTrue(
        SharedServer.kind() == ServerKind.GRAMPUS,
        "stock HBase fails a snapshot without a nonce of a region that is closed");
  }

  @Test
  void itHasTheRowsOfItsTime() throws Exception {
    put("a");
    take();
    awaitDone();
    assertTrue(isDone(), "also when asked again");
    put("b");
    assertEquals(List.of("a"), rowsOfClone());
  }

  @Test
  void oneWithoutAFlushHasWhatWasOnDisk() throws Exception {
    put("a");
    admin.flush(name);
    put("b");
    snapshot = snapshot.toBuilder().setType(SnapshotDescription.Type.SKIPFLUSH).build();
    take();
    awaitDone();
    assertEquals(List.of("a"), rowsOfClone());
  }

  @Test
  void aDisabledTableIsTaken() throws Exception {
    put("a");
    admin.disableTable(name);
    take();
    awaitDone();
    assertEquals(List.of("a"), rowsOfClone());
  }

  @Test
  void aTableIsTakenBesideAMove() throws Exception {
    assumeProcedures();
    put("a");
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    admin.unassign(region);
    try {
      assertTrue(take().hasProcId());
      assertFalse(isDone(), "while the region is closed");
    } finally {
      admin.assign(region);
    }
    awaitDone();
    assertEquals(List.of("a"), rowsOfClone());
  }

  @Test
  void oneThatFailsSaysSo() throws Exception {
    assumeProcedures();
    byte[] region = admin.getRegions(name).get(0).getRegionName();
    admin.unassign(region);
    try {
      long procedure = take().getProcId();
      assertTrue(abort(procedure));
    } finally {
      admin.assign(region);
    }
    ServiceException failed = assertThrows(ServiceException.class, this::awaitDone);
    assertInstanceOf(HBaseSnapshotException.class, cause(failed));
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
    assertUnknown();
  }

  @Test
  void oneThatWasDeletedIsUnknown() throws Exception {
    take();
    awaitDone();
    admin.deleteSnapshot(snapshot.getName());
    assertUnknown();
  }

  private void assertUnknown() {
    ServiceException unknown = assertThrows(ServiceException.class, this::isDone);
    assertEquals(UnknownSnapshotException.class, cause(unknown).getClass());
  }
}

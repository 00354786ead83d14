package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.FlushRegionCallable;
import org.apache.hadoop.hbase.regionserver.SplitWALCallable;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.FlushRegionParameter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProcedureProtos.SplitWALParameter;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.grampus.server.admin.AdminService;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.testkit.HeldRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RemoteProceduresTest {
  private static final ServerName SELF = ServerName.valueOf("host", 1, 2);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final int THREADS = 3;
  private static final long WAIT_SECONDS = 60;

  @TempDir Path root;
  private final AtomicReference<Throwable> fatal = new AtomicReference<>();
  private final BlockingQueue<Long> done = new LinkedBlockingQueue<>();
  private final RegionRegistry registry = new RegionRegistry(() -> SELF);
  private final RegionInfo info = RegionInfoBuilder.newBuilder(TABLE).build();
  private final HeldRegion region = new HeldRegion();
  private RegionLifecycle lifecycle;
  private RemoteProcedures procedures;

  @BeforeEach
  void start() throws IOException {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    registry.add(
        new OnlineRegion(
            info,
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .build(),
            region,
            1));
    lifecycle = new RegionLifecycle(null, registry, null, this::abort, offline -> {});
    procedures =
        new RemoteProcedures(
            SELF,
            lifecycle,
            registry,
            new RegionProcedures(null, new RegionFiles(conf), lifecycle, null, null),
            (origin, failure) -> done.add(origin.procedureId()),
            this::abort,
            THREADS);
    procedures.begin();
  }

  private void abort(String why, Throwable cause) {
    fatal.compareAndSet(null, new AssertionError(why, cause));
  }

  @AfterEach
  void stop() throws InterruptedException {
    region.release();
    procedures.close();
    assertNull(fatal.get());
  }

  private static RemoteProcedureRequest order(long id, Class<?> callable, Message parameter) {
    return RemoteProcedureRequest.newBuilder()
        .setProcId(id)
        .setProcClass(callable.getName())
        .setProcData(parameter.toByteString())
        .build();
  }

  private Set<Long> doneOf(int count) throws InterruptedException {
    Set<Long> ids = new TreeSet<>();
    for (int n = 0; n < count; n++) {
      Long id = done.poll(WAIT_SECONDS, TimeUnit.SECONDS);
      assertNotNull(id, "waited in vain, behind " + ids);
      ids.add(id);
    }
    return ids;
  }

  /** A log that was split before, as of an order that the master repeats. */
  private SplitWALParameter splitOfArchivedLog() throws IOException {
    Files.createDirectories(root.resolve("oldWALs"));
    Files.createFile(root.resolve("oldWALs/log"));
    return SplitWALParameter.newBuilder().setWalPath("WALs/dead-splitting/log").build();
  }

  /** The regions of a dead server wait for it; a flush of a table has an order for each region. */
  @Test
  void aSplitOfALogWaitsBehindNoFlush() throws IOException, InterruptedException {
    region.hold();
    FlushRegionParameter flush =
        FlushRegionParameter.newBuilder().setRegion(ProtobufUtil.toRegionInfo(info)).build();
    ExecuteProceduresRequest.Builder batch = ExecuteProceduresRequest.newBuilder();
    for (long id = 1; id <= 2 * THREADS; id++) {
      batch.addProc(order(id, FlushRegionCallable.class, flush));
    }
    batch.addProc(order(100, SplitWALCallable.class, splitOfArchivedLog()));
    procedures.submit(batch.build());
    assertEquals(Set.of(100L), doneOf(1));
    region.release();
    assertEquals(2 * THREADS, doneOf(2 * THREADS).size());
  }

  /** The master is told that it was not taken, and orders it again. */
  @Test
  void anOrderThatNoThreadTakesIsNotTakenForDone() throws InterruptedException {
    procedures.close(); // which is one reason for it; another is a system without threads
    ExecuteProceduresRequest batch =
        ExecuteProceduresRequest.newBuilder()
            .addCloseRegion(closeFor(SELF.getStartCode()).setCloseProcId(1))
            .build();
    for (int repeat = 0; repeat < 2; repeat++) {
      assertThrows(RejectedExecutionException.class, () -> procedures.submit(batch));
    }
  }

  private CloseRegionRequest.Builder closeFor(long startCode) {
    return CloseRegionRequest.newBuilder()
        .setServerStartCode(startCode)
        .setRegion(
            RequestConverter.buildRegionSpecifier(
                RegionSpecifierType.REGION_NAME, info.getRegionName()));
  }

  /** The master's thread holds the region's state for as long as it waits for the answer. */
  @Test
  @Timeout(WAIT_SECONDS)
  void aCloseThatIsNotReportedIsAnsweredBeforeItIsDone() throws Exception {
    region.hold();
    assertTrue(admin().closeRegion(null, closeFor(SELF.getStartCode()).build()).getClosed());
    assertEquals(1, region.closed().getCount());
    region.release();
    assertTrue(region.closed().await(WAIT_SECONDS, TimeUnit.SECONDS));
    assertEquals(0, registry.size());
  }

  /** The region is in no registry any more, so that nothing else would wait for its flush. */
  @Test
  @Timeout(WAIT_SECONDS)
  void aStopWaitsForTheRegionsThatAreBeingClosed() throws Exception {
    region.hold();
    admin().closeRegion(null, closeFor(SELF.getStartCode()).build());
    while (registry.size() > 0) {
      Thread.onSpinWait();
    }
    Thread stop = new Thread(this::closeProcedures);
    stop.start();
    while (stop.getState() != Thread.State.TIMED_WAITING) {
      assertTrue(stop.isAlive(), "it has not waited");
      Thread.onSpinWait();
    }
    assertEquals(1, region.closed().getCount());
    region.release();
    stop.join();
    assertEquals(0, region.closed().getCount());
  }

  private void closeProcedures() {
    try {
      procedures.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Nothing would be reported, so that the region would be served by nobody. */
  @Test
  void aCloseForAnEarlierLifeOfTheServerIsRefused() {
    ServiceException refusal =
        assertThrows(
            ServiceException.class,
            () -> admin().closeRegion(null, closeFor(SELF.getStartCode() - 1).build()));
    assertInstanceOf(DoNotRetryIOException.class, refusal.getCause());
    assertEquals(1, registry.size());
  }

  /** Orders of one region may wait for each other, and a later one of the master opens it again. */
  @Test
  void aCloseThatIsNotReportedLeavesALaterOpenAlone() throws InterruptedException {
    OnlineRegion earlier = registry.remove(info.getEncodedName());
    OnlineRegion later = new OnlineRegion(info, earlier.table(), region, 2);
    registry.add(later);
    lifecycle.closeUnreported(earlier);
    assertTrue(registry.isOnline(later));
    assertEquals(1, region.closed().getCount());
  }

  private AdminService admin() {
    return new AdminService(registry, procedures, null, null, null, null, null);
  }
}

package org.grampus.server.assignment;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.CloseRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.ExecuteProceduresRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.OpenRegionRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos.RemoteProcedureRequest;
import org.grampus.server.cluster.FatalHandler;
import org.grampus.server.cluster.TransitionReporter.Origin;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders of the master. A batch is accepted at once and worked off on pools; since the master
 * repeats a batch whose reply it did not see, each procedure id is taken only once. hbase:meta has
 * threads of its own: other opens may need it. So have splits of logs: the regions of a dead server
 * wait for them, and a flush of a large table orders one flush for each of its regions at once.
 */
public final class RemoteProcedures {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteProcedures.class);

  /** As many logs a master gives a server at a time (hbase.regionserver.wal.max.splitters). */
  private static final int SPLIT_THREADS = 2;

  private final ServerName server;
  private final RegionLifecycle lifecycle;
  private final RegionRegistry registry;
  private final RegionProcedures regionProcedures;
  private final Results results;
  private final FatalHandler fatal;
  private final ExecutorService regionPool;
  private final ExecutorService metaPool;
  private final ExecutorService procedurePool;
  private final ExecutorService splitPool;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final ProcedureIds ids = new ProcedureIds();

  /** Where the results of orders go that are not about the place of a region. */
  @FunctionalInterface
  public interface Results {
    /** An order has ended, with a failure or null. */
    void done(Origin origin, IOException failure) throws InterruptedException;
  }

  /** A task that may be interrupted by the server's stop. */
  private interface Task {
    void run() throws InterruptedException;
  }

  /** Works off orders for a server with a number of threads for opens and closes. */
  public RemoteProcedures(
      ServerName server,
      RegionLifecycle lifecycle,
      RegionRegistry registry,
      RegionProcedures regionProcedures,
      Results results,
      FatalHandler fatal,
      int threads) {
    this.server = server;
    this.lifecycle = lifecycle;
    this.registry = registry;
    this.regionProcedures = regionProcedures;
    this.results = results;
    this.fatal = fatal;
    this.regionPool = pool(threads, "grampus-region");
    this.metaPool = pool(1, "grampus-meta-region");
    this.procedurePool = pool(threads, "grampus-procedure");
    this.splitPool = pool(SPLIT_THREADS, "grampus-split-wal");
  }

  /**
   * Lets accepted orders run. They may arrive before the server has its log, right after the master
   * has taken it.
   */
  public void begin() {
    begun.countDown();
  }

  /** Accepts a batch. A batch meant for an earlier life of this address is refused whole. */
  public void submit(ExecuteProceduresRequest batch) throws IOException {
    for (OpenRegionRequest open : batch.getOpenRegionList()) {
      requireThisServer(open.hasServerStartCode(), open.getServerStartCode());
    }
    for (CloseRegionRequest close : batch.getCloseRegionList()) {
      requireThisServer(close.hasServerStartCode(), close.getServerStartCode());
    }
    for (OpenRegionRequest open : batch.getOpenRegionList()) {
      open(open);
    }
    for (CloseRegionRequest close : batch.getCloseRegionList()) {
      close(close);
    }
    for (RemoteProcedureRequest procedure : batch.getProcList()) {
      procedure(procedure);
    }
  }

  /**
   * Has a region closed that the master does not place here, of which nothing is reported. Does not
   * wait for it: the master holds the region's state until it is answered.
   *
   * @throws IOException when the order is for an earlier life of this address, or the region is not
   *     online here
   */
  public void closeUnreported(CloseRegionRequest request) throws IOException {
    requireThisServer(request.hasServerStartCode(), request.getServerStartCode());
    OnlineRegion region = registry.lookup(request.getRegion());
    execute(ProcedureIds.NONE, pool(region.info()), () -> lifecycle.closeUnreported(region));
  }

  private void requireThisServer(boolean present, long startCode) throws DoNotRetryIOException {
    if (present && startCode != server.getStartCode()) {
      throw new DoNotRetryIOException(
          "this server is " + server + ", the order was for start code " + startCode);
    }
  }

  private void open(OpenRegionRequest request) {
    for (OpenRegionRequest.RegionOpenInfo open : request.getOpenInfoList()) {
      RegionInfo region = ProtobufUtil.toRegionInfo(open.getRegion());
      Origin origin = new Origin(open.getOpenProcId(), request.getInitiatingMasterActiveTime());
      once(origin, pool(region), () -> lifecycle.open(region, origin));
    }
  }

  private void close(CloseRegionRequest request) throws IOException {
    String encoded = ProtobufUtil.getRegionEncodedName(request.getRegion());
    ServerName destination =
        request.hasDestinationServer()
            ? ProtobufUtil.toServerName(request.getDestinationServer())
            : null;
    Origin origin = new Origin(request.getCloseProcId(), request.getInitiatingMasterActiveTime());
    RegionInfo region = knownRegion(request, encoded);
    once(origin, pool(region), () -> lifecycle.close(region, destination, origin));
  }

  private RegionInfo knownRegion(CloseRegionRequest request, String encoded) throws IOException {
    OnlineRegion online = registry.find(encoded);
    // An order carries the region's full name, from which its identity can be read even when it is
    // not here.
    return online != null
        ? online.info()
        : MetaTableAccessor.parseRegionInfoFromRegionName(
            request.getRegion().getValue().toByteArray());
  }

  private ExecutorService pool(RegionInfo region) {
    return region.isMetaRegion() ? metaPool : regionPool;
  }

  /** The master repeats a procedure that failed under the same id, so each order runs. */
  private void procedure(RemoteProcedureRequest request) {
    Origin origin = new Origin(request.getProcId(), request.getInitiatingMasterActiveTime());
    String procedureClass = request.getProcClass();
    execute(
        origin.procedureId(),
        RegionProcedures.isSplit(procedureClass) ? splitPool : procedurePool,
        () -> results.done(origin, regionProcedures.run(procedureClass, request.getProcData())));
  }

  private void once(Origin origin, ExecutorService pool, Task task) {
    long id = origin.procedureId();
    if (!ids.take(id)) {
      LOG.info("procedure {} was ordered before; once is enough", id);
      return;
    }
    try {
      execute(id, pool, () -> runOnce(id, task));
    } catch (RuntimeException | Error e) {
      // The master is told, and orders it again.
      ids.giveBack(id);
      throw e;
    }
  }

  private void runOnce(long id, Task task) throws InterruptedException {
    try {
      task.run();
    } finally {
      ids.end(id);
    }
  }

  private void execute(long id, ExecutorService pool, Task task) {
    pool.execute(
        () -> {
          try {
            begun.await();
            task.run();
          } catch (InterruptedException e) {
            LOG.info("procedure {} was interrupted by the stop of this server", id);
            Thread.currentThread().interrupt();
          } catch (RuntimeException | Error e) {
            // An order that vanished would hang the master for ever.
            fatal.abort("procedure " + id + " failed unexpectedly", e);
          }
        });
  }

  /**
   * Threads that are there from the start: an order that was taken must not fail for want of one.
   */
  private static ExecutorService pool(int threads, String name) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads, threads, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named(name));
    pool.prestartAllCoreThreads();
    return pool;
  }

  private static ThreadFactory named(String name) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + "-" + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Takes no more orders, and waits for the opens and closes that run: until they have ended, their
   * regions are in no registry. The limit of the server's stop is theirs too.
   */
  public void close() throws InterruptedException {
    for (ExecutorService pool : List.of(regionPool, metaPool, procedurePool, splitPool)) {
      pool.shutdownNow();
    }
    for (ExecutorService pool : List.of(regionPool, metaPool)) {
      while (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
        LOG.info("a region is still being opened or closed");
      }
    }
  }
}

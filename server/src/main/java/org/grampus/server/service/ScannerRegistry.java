package org.grampus.server.service;

import java.io.IOException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.grampus.server.region.EngineScanner;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open scanners of this server and their leases. Ids carry a hash of the server's name in their
 * upper half, so that an id from before a restart is never taken for a new one. Any thread.
 */
public final class ScannerRegistry implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ScannerRegistry.class);
  private static final long MIN_CHECK_MILLIS = 10;
  private static final long MAX_CHECK_MILLIS = 1_000;

  private final RegionRegistry regions;
  private final ClientServiceConfig config;
  private final LongSupplier nanoClock;
  private final long idPrefix;
  private final AtomicInteger ids = new AtomicInteger();
  private final ConcurrentHashMap<Long, OpenScanner> open = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<Long, Closed> closed = new ConcurrentHashMap<>();
  private final LongAdder expired = new LongAdder();
  private final ScheduledExecutorService reaper;

  /** A scanner that this server closed by itself, with the number that its next call had had. */
  private record Closed(long nextCallSeq, long forgetNanos) {}

  /** The client's late call to a scanner that was closed by itself; it gets an empty reply. */
  static final class AlreadyClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this; // an ordinary turn of events
    }
  }

  /** A registry that checks its leases by itself. */
  public ScannerRegistry(ServerName self, RegionRegistry regions, ClientServiceConfig config) {
    this(self, regions, config, System::nanoTime);
  }

  ScannerRegistry(
      ServerName self, RegionRegistry regions, ClientServiceConfig config, LongSupplier nanoClock) {
    this.regions = regions;
    this.config = config;
    this.nanoClock = nanoClock;
    this.idPrefix = (long) self.toString().hashCode() << Integer.SIZE;
    this.reaper =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "scanner-leases");
              thread.setDaemon(true);
              return thread;
            });
    long period =
        Math.max(MIN_CHECK_MILLIS, Math.min(MAX_CHECK_MILLIS, config.scannerLeaseMillis() / 4));
    var unused = reaper.scheduleWithFixedDelay(this::reap, period, period, TimeUnit.MILLISECONDS);
  }

  /** Adds a scanner, its lease taken by the call that opened it. */
  OpenScanner add(OnlineRegion region, EngineScanner engine, Scan scan, boolean filtersRows)
      throws IOException {
    if (open.size() >= config.maxScanners()) {
      engine.close();
      throw new RegionTooBusyException(open.size() + " scanners are open (grampus.scanners.max)");
    }
    long id = idPrefix | Integer.toUnsignedLong(ids.incrementAndGet());
    OpenScanner scanner = new OpenScanner(id, region, engine, scan, filtersRows);
    open.put(id, scanner);
    return scanner;
  }

  /** The scanner of this id without its lease, or null. */
  OpenScanner find(long id) {
    return open.get(id);
  }

  /**
   * Takes a scanner and its lease for a call.
   *
   * @throws AlreadyClosedException when the client is late and an empty reply is right
   */
  OpenScanner take(ScanRequest request) throws IOException {
    long id = request.getScannerId();
    OpenScanner scanner = open.get(id);
    if (scanner == null) {
      throw absence(id, request);
    }
    if (!scanner.take()) {
      throw new LeaseException("lease '" + id + "' does not exist");
    }
    if (!regions.isOnline(scanner.region())) {
      drop(scanner);
      throw new NotServingRegionException(
          "Region has changed on the scanner "
              + id
              + ": regionName="
              + scanner.region().info().getRegionNameAsString());
    }
    return scanner;
  }

  private IOException absence(long id, ScanRequest request) {
    Closed late = closed.get(id);
    if (late == null) {
      return new UnknownScannerException(
          "Unknown scanner '"
              + id
              + "'. This can happen due to any of the following reasons: a) Scanner id given is"
              + " wrong, b) Scanner lease expired because of long wait between consecutive client"
              + " checkins, c) Server may be closing down, d) RegionServer restart during"
              + " upgrade.\nIf the issue is due to reason (b), a possible fix would be increasing"
              + " the value of 'hbase.client.scanner.timeout.period' configuration.");
    }
    if (request.hasNextCallSeq() && request.getNextCallSeq() != late.nextCallSeq + 1) {
      return new OutOfOrderScannerNextException(
          "Expected nextCallSeq for closed request: "
              + (late.nextCallSeq + 1)
              + " But the nextCallSeq got from client: "
              + request.getNextCallSeq());
    }
    return new AlreadyClosedException();
  }

  /** Gives the lease back after a call. */
  void giveBack(OpenScanner scanner) {
    scanner.giveBack(leaseEnd());
  }

  /** Closes a scanner whose lease the caller has, and remembers it for a late call. */
  void close(OpenScanner scanner) {
    closed.put(scanner.id(), new Closed(scanner.nextCallSeq(), leaseEnd()));
    drop(scanner);
  }

  /** Closes a scanner whose lease the caller has. */
  void drop(OpenScanner scanner) {
    open.remove(scanner.id());
    try {
      scanner.engine().close();
    } catch (RuntimeException e) {
      LOG.error("cannot close scanner {}", scanner.id(), e); // the caller has a reply to send
    }
  }

  /** Closes the scanners of a region that goes offline; one inside a call ends with its call. */
  public void closeScannersOf(OnlineRegion region) {
    for (OpenScanner scanner : open.values()) {
      if (scanner.region().encodedName().equals(region.encodedName()) && scanner.take()) {
        drop(scanner);
      }
    }
  }

  /** Scanners that are open. */
  public int openCount() {
    return open.size();
  }

  /** Scanners that were closed because nobody asked for them. */
  public long expiredCount() {
    return expired.sum();
  }

  private long leaseEnd() {
    return nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(config.scannerLeaseMillis());
  }

  /** Closes what has expired and forgets what was closed long ago. */
  void reap() {
    long now = nanoClock.getAsLong();
    for (OpenScanner scanner : open.values()) {
      if (scanner.expire(now)) {
        LOG.info("scanner {} lease expired on region {}", scanner.id(), scanner.region().name());
        expired.increment();
        drop(scanner);
      }
    }
    closed.values().removeIf(late -> late.forgetNanos - now <= 0);
  }

  /** Closes all scanners that no call uses and ends the lease checks. */
  @Override
  public void close() {
    reaper.shutdownNow();
    for (OpenScanner scanner : open.values()) {
      if (scanner.take()) {
        drop(scanner);
      }
    }
  }
}

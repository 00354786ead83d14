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
import org.grampus.engine.EngineScanner;
import org.grampus.server.env.Env;
import org.grampus.server.env.Repeated;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.memory.MemoryPool;
import org.grampus.server.memory.MemoryUse;
import org.grampus.server.memory.Rank;
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

  /** A scanner without pages: its objects here and in the engine. */
  private static final int SCANNER_BYTES = 8 << 10;

  /** A filter in the engine takes more than its encoding. */
  private static final int SPEC_FACTOR = 4;

  private final RegionRegistry regions;
  private final ClientServiceConfig config;
  private final MemoryAccount account;
  private final LongSupplier nanoClock;
  private final long idPrefix;
  private final AtomicInteger ids = new AtomicInteger();
  private final ConcurrentHashMap<Long, OpenScanner> open = new ConcurrentHashMap<>();
  private final LongAdder expired = new LongAdder();
  private final ClosedScanners closed = new ClosedScanners();
  private final ScheduledExecutorService reaper;

  /** The client's late call to a scanner that was closed by itself; it gets an empty reply. */
  static final class AlreadyClosedException extends IOException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized Throwable fillInStackTrace() {
      return this; // an ordinary turn of events
    }
  }

  /** A registry that checks its leases by itself. */
  public ScannerRegistry(
      ServerName self, RegionRegistry regions, ClientServiceConfig config, MemoryAccount account) {
    this(self, regions, config, account, Env::nanos);
  }

  ScannerRegistry(
      ServerName self,
      RegionRegistry regions,
      ClientServiceConfig config,
      MemoryAccount account,
      LongSupplier nanoClock) {
    this.regions = regions;
    this.config = config;
    this.account = account;
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
    Runnable reap = Repeated.of("the check of the leases of scanners", this::reap);
    var unused = reaper.scheduleWithFixedDelay(reap, period, period, TimeUnit.MILLISECONDS);
  }

  /**
   * Adds a scanner, its lease taken by the call that opened it.
   *
   * @param specBytes length of the scan's encoding for the engine
   * @param peer the address for which the scanner counts
   * @throws RegionTooBusyException when there are too many, or no memory for one more
   */
  OpenScanner add(
      OnlineRegion region,
      EngineScanner engine,
      Scan scan,
      boolean filtersRows,
      int specBytes,
      MemoryPeer peer)
      throws IOException {
    long bytes = SCANNER_BYTES + (long) SPEC_FACTOR * specBytes;
    if (open.size() >= config.maxScanners()) {
      engine.close();
      throw new RegionTooBusyException(open.size() + " scanners are open (grampus.scanners.max)");
    }
    if (!account.tryReserve(MemoryUse.SCANNERS, peer, bytes, rank(region, peer, bytes))) {
      engine.close();
      account.refused();
      throw new RegionTooBusyException(
          open.size() + " scanners are open and take the memory that is for them");
    }
    long id = idPrefix | Integer.toUnsignedLong(nextId());
    OpenScanner scanner = new OpenScanner(id, region, engine, scan, filtersRows);
    scanner.memory(peer, bytes);
    open.put(id, scanner);
    return scanner;
  }

  /**
   * Scanners are small, so that ranks go by what their address has with the new one: those with
   * many leave room for the first ones of others, and all for those of system tables.
   */
  private static Rank rank(OnlineRegion region, MemoryPeer peer, long bytes) {
    if (bytes <= Rank.SMALL_BYTES && region.info().getTable().isSystemTable()) {
      return Rank.SYSTEM;
    }
    return Rank.of(peer.used(MemoryPool.Kind.SCANNERS) + bytes);
  }

  private int nextId() {
    int id = ids.incrementAndGet();
    return id == 0 ? ids.incrementAndGet() : id;
  }

  /**
   * Reserves what a scanner keeps in memory until its next call, pages above all; without memory it
   * keeps no pages, and its next call loads them again. They leave room for others to be opened.
   */
  private void reservePages(OpenScanner scanner) {
    long more = scanner.engine().memoryBytes() - scanner.pageBytes();
    if (more > 0 && !account.tryReserve(MemoryUse.SCANNERS, scanner.peer(), more, Rank.OPTIONAL)) {
      scanner.engine().dropPages();
      more = scanner.engine().memoryBytes() - scanner.pageBytes();
      if (more > 0) {
        account.force(MemoryUse.SCANNERS, scanner.peer(), more); // its place within a row
      }
    }
    if (more < 0) {
      account.release(MemoryUse.SCANNERS, scanner.peer(), -more);
    }
    scanner.pageBytes(scanner.pageBytes() + more);
  }

  /**
   * Reserves what the engine keeps of a result between two calls, in place of what it kept before.
   * Only with the lease.
   *
   * @return false when there is no memory for it: the scanner must be dropped
   */
  boolean reserveCarried(OpenScanner scanner, long carriedBytes) {
    account.release(MemoryUse.SCANNERS, scanner.peer(), scanner.carriedBytes());
    scanner.carriedBytes(0);
    if (carriedBytes == 0) {
      return true;
    }
    Rank rank = Rank.of(carriedBytes);
    if (!account.tryReserve(MemoryUse.SCANNERS, scanner.peer(), carriedBytes, rank)) {
      account.refused();
      return false;
    }
    scanner.carriedBytes(carriedBytes);
    return true;
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
      if (!regions.isOnline(scanner.region())) {
        throw regionHasChanged(scanner); // letGo may have the lease: asynchronous scans fail on it
      }
      throw new LeaseException("lease '" + id + "' does not exist");
    }
    if (!regions.isOnline(scanner.region())) {
      drop(scanner);
      throw regionHasChanged(scanner);
    }
    return scanner;
  }

  private static NotServingRegionException regionHasChanged(OpenScanner scanner) {
    return new NotServingRegionException(
        "Region has changed on the scanner "
            + scanner.id()
            + ": regionName="
            + scanner.region().info().getRegionNameAsString());
  }

  private IOException absence(long id, ScanRequest request) {
    long late =
        id >>> Integer.SIZE == idPrefix >>> Integer.SIZE
            ? closed.nextCallSeq((int) id, nanoClock.getAsLong())
            : ClosedScanners.UNKNOWN;
    if (late == ClosedScanners.UNKNOWN) {
      return new UnknownScannerException(
          "Unknown scanner '"
              + id
              + "'. This can happen due to any of the following reasons: a) Scanner id given is"
              + " wrong, b) Scanner lease expired because of long wait between consecutive client"
              + " checkins, c) Server may be closing down, d) RegionServer restart during"
              + " upgrade.\nIf the issue is due to reason (b), a possible fix would be increasing"
              + " the value of 'hbase.client.scanner.timeout.period' configuration.");
    }
    if (request.hasNextCallSeq() && request.getNextCallSeq() != late + 1) {
      return new OutOfOrderScannerNextException(
          "Expected nextCallSeq for closed request: "
              + (late + 1)
              + " But the nextCallSeq got from client: "
              + request.getNextCallSeq());
    }
    return new AlreadyClosedException();
  }

  /** Gives the lease back after a call, and what the scanner holds if its region went offline. */
  void giveBack(OpenScanner scanner) {
    try {
      reservePages(scanner);
    } catch (RuntimeException e) {
      LOG.error("cannot keep scanner {}", scanner.id(), e); // the caller has a reply to send
      drop(scanner);
      return;
    }
    scanner.giveBack(leaseEnd());
    // Only now: the region goes offline before it looks for leases that it can take.
    if (!regions.isOnline(scanner.region())) {
      letGo(scanner);
    }
  }

  /** Closes a scanner whose lease the caller has, and remembers it for a late call. */
  void close(OpenScanner scanner) {
    closed.add((int) scanner.id(), scanner.nextCallSeq(), leaseEnd(), nanoClock.getAsLong());
    drop(scanner);
  }

  /** Closes a scanner whose lease the caller has. */
  void drop(OpenScanner scanner) {
    open.remove(scanner.id());
    closeEngine(scanner);
  }

  private void closeEngine(OpenScanner scanner) {
    try {
      scanner.closeEngine();
    } catch (RuntimeException e) {
      LOG.error("cannot close scanner {}", scanner.id(), e); // the caller has a reply to send
    } finally {
      account.release(MemoryUse.SCANNERS, scanner.peer(), scanner.takeMemory());
    }
  }

  /**
   * Lets go what the scanners of a region hold that has left the registry; one inside a call lets
   * go when its call ends. The scanners themselves stay for their leases, so that their next calls
   * learn that the region is not served here and not that they are unknown.
   */
  public void closeScannersOf(OnlineRegion region) {
    for (OpenScanner scanner : open.values()) {
      if (scanner.region().encodedName().equals(region.encodedName())) {
        letGo(scanner);
      }
    }
  }

  /** Closes the engine's part of a scanner that no call has; the lease goes on. */
  private void letGo(OpenScanner scanner) {
    if (scanner.take()) {
      closeEngine(scanner);
      scanner.release();
    }
  }

  /** Scanners that are open. */
  public int openCount() {
    return open.size();
  }

  /** Scanners whose leases have expired so far. */
  public long expiredCount() {
    return expired.sum();
  }

  private long leaseEnd() {
    return nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(config.scannerLeaseMillis());
  }

  /** Closes what has expired. */
  void reap() {
    long now = nanoClock.getAsLong();
    for (OpenScanner scanner : open.values()) {
      if (scanner.expire(now)) {
        LOG.info(
            "scanner {} lease expired on region {}",
            scanner.id(),
            scanner.region().info().getRegionNameAsString());
        drop(scanner);
        expired.increment();
      }
    }
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

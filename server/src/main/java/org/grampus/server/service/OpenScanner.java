package org.grampus.server.service;

import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.engine.EngineScanner;
import org.grampus.engine.ScanCounts;
import org.grampus.server.memory.MemoryPeer;
import org.grampus.server.region.OnlineRegion;

/**
 * A region scanner with its lease and call sequence. A call takes the lease, which excludes other
 * calls and expiry, and gives it back when its reply is built.
 */
final class OpenScanner {
  private enum Lease {
    RUNNING,
    TAKEN,
    ENDED
  }

  private final long id;
  private final OnlineRegion region;
  private final EngineScanner engine;
  private final Scan scan;
  private final boolean filtersRows;
  private final boolean wholeRegion;
  private final AtomicReference<Lease> lease = new AtomicReference<>(Lease.TAKEN);
  private volatile long expiryNanos;
  private long nextCallSeq;
  private int expectedBytes;
  private MemoryPeer peer;
  private long ownBytes;
  private long pageBytes;
  private long carriedBytes;
  private boolean engineClosed;
  private ScanCounts counts = ScanCounts.NONE;

  OpenScanner(long id, OnlineRegion region, EngineScanner engine, Scan scan, boolean filtersRows) {
    this.id = id;
    this.region = region;
    this.engine = engine;
    this.scan = kept(scan);
    this.filtersRows = filtersRows;
    this.wholeRegion = !region.isSystem() && includes(scan, region.info());
  }

  /** What later calls look at: rows and filters would stay on the heap as long as the scanner. */
  private static Scan kept(Scan scan) {
    return Scan.newBuilder()
        .setMaxResultSize(scan.getMaxResultSize())
        .setNeedCursorResult(scan.getNeedCursorResult())
        .build();
  }

  long id() {
    return id;
  }

  OnlineRegion region() {
    return region;
  }

  /** Where it reads, in HBase's words for the log of slow calls. */
  String place() {
    return "table: "
        + region.info().getTable().getNameAsString()
        + " region: "
        + region.info().getRegionNameAsString();
  }

  EngineScanner engine() {
    return engine;
  }

  /** Of the scan what later calls need: its size limit and whether it wants cursors. */
  Scan scan() {
    return scan;
  }

  /** Whether the filter decides about whole rows, which forbids partial ones. */
  boolean filtersRows() {
    return filtersRows;
  }

  /**
   * Whether the scan's rows include all of its region, which has no system table; HBase counts such
   * scans ({@code RSRpcServices.isFullRegionScan}).
   */
  boolean readsWholeRegion() {
    return wholeRegion;
  }

  private static boolean includes(Scan scan, RegionInfo region) {
    byte[] stop = scan.getStopRow().toByteArray();
    return Bytes.compareTo(scan.getStartRow().toByteArray(), region.getStartKey()) <= 0
        && (stop.length == 0
            || (region.getEndKey().length > 0 && Bytes.compareTo(stop, region.getEndKey()) >= 0));
  }

  /** Takes the lease; false when another call has it or it has ended. */
  boolean take() {
    return lease.compareAndSet(Lease.RUNNING, Lease.TAKEN);
  }

  /** Gives the lease back with a new expiry. */
  void giveBack(long newExpiryNanos) {
    expiryNanos = newExpiryNanos;
    lease.set(Lease.RUNNING);
  }

  /** Gives the lease back as it was taken. */
  void release() {
    lease.set(Lease.RUNNING);
  }

  /** Lets go what the engine holds for the scanner. Only with the lease; again has no effect. */
  void closeEngine() {
    if (!engineClosed) {
      engineClosed = true;
      engine.close();
    }
  }

  /** Ends the lease if no call has it and its time is over. */
  boolean expire(long nowNanos) {
    return expiryNanos - nowNanos <= 0 && lease.compareAndSet(Lease.RUNNING, Lease.ENDED);
  }

  /** Checks a call's sequence number and steps on; a call without one is not checked. */
  void checkSequence(ScanRequest request) throws OutOfOrderScannerNextException {
    if (!request.hasNextCallSeq()) {
      return;
    }
    if (request.getNextCallSeq() != nextCallSeq) {
      throw new OutOfOrderScannerNextException(
          "Expected nextCallSeq: "
              + nextCallSeq
              + " But the nextCallSeq got from client: "
              + request.getNextCallSeq());
    }
    nextCallSeq++;
  }

  /** The number that the next call must have. */
  long nextCallSeq() {
    return nextCallSeq;
  }

  /** What was looked at since the last call, given what the engine has counted since the open. */
  ScanCounts countsUpTo(ScanCounts sinceOpen) {
    ScanCounts sinceLast = sinceOpen.minus(counts);
    counts = sinceOpen;
    return sinceLast;
  }

  /** What is reserved for the scanner, and for which address. */
  void memory(MemoryPeer reservedFor, long bytes) {
    peer = reservedFor;
    ownBytes = bytes;
  }

  MemoryPeer peer() {
    return peer;
  }

  /** What is reserved for its pages. */
  long pageBytes() {
    return pageBytes;
  }

  void pageBytes(long bytes) {
    pageBytes = bytes;
  }

  /** What is reserved for a result that the engine keeps for the next call. */
  long carriedBytes() {
    return carriedBytes;
  }

  void carriedBytes(long bytes) {
    carriedBytes = bytes;
  }

  /** All that is reserved, once. */
  synchronized long takeMemory() {
    long bytes = ownBytes + pageBytes + carriedBytes;
    ownBytes = 0;
    pageBytes = 0;
    carriedBytes = 0;
    return bytes;
  }

  /** Bytes that the last reply took, a guess for the next. */
  int expectedBytes() {
    return expectedBytes;
  }

  void expectedBytes(int bytes) {
    expectedBytes = bytes;
  }
}

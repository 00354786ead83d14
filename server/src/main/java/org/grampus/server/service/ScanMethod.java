package org.grampus.server.service;

import io.netty.buffer.ByteBuf;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ScanResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.read.ReadFlags;
import org.grampus.engine.EngineScanner;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;

/**
 * ClientService.Scan: opens, reads, renews and closes scanners. A scanner closes by itself when its
 * region or its limit of rows is exhausted, and after any error but a wrong sequence number.
 */
final class ScanMethod implements RpcMethod {
  private final RegionRegistry regions;
  private final ScannerRegistry scanners;
  private final ClientServiceConfig config;
  private final Operations operations;

  ScanMethod(
      RegionRegistry regions,
      ScannerRegistry scanners,
      ClientServiceConfig config,
      Operations operations) {
    this.regions = regions;
    this.scanners = scanners;
    this.config = config;
    this.operations = operations;
  }

  @Override
  public String name() {
    return "Scan";
  }

  @Override
  public Message prototype() {
    return ScanRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    boolean isQuick =
        mayEndAtOnce((ScanRequest) call.param())
            && call.connection().profile().compressor() == null; // which takes long
    return isQuick ? Handlers.bySize(call) : Handlers.POOL;
  }

  /**
   * Whether the request may be all of its scan. A filter may reject any number of rows first, and
   * so may a read point from before many writes.
   */
  private static boolean mayEndAtOnce(ScanRequest request) {
    return !request.hasScannerId()
        && request.hasScan()
        && !request.getScan().hasFilter()
        && request.getScan().getMvccReadPoint() <= 0
        && request.getNumberOfRows() > 0
        && !request.hasNextCallSeq() // is checked only where the scanner lives on
        && !request.getRenew();
  }

  @Override
  public int priority(Call call) {
    ScanRequest request = (ScanRequest) call.param();
    if (!request.hasScannerId()) {
      return RegionPriority.of(regions, request.getRegion());
    }
    OpenScanner scanner = scanners.find(request.getScannerId());
    return scanner == null ? RegionPriority.NORMAL : RegionPriority.of(scanner.region());
  }

  @Override
  public boolean mayGiveWay(Call call) {
    return true;
  }

  @Override
  public void ended() {
    EngineScratch.get().shrink();
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    ScanRequest request = (ScanRequest) call.param();
    return mayBlock ? run(call, request) : tryOnLoop(call, request);
  }

  /**
   * Tries a scan on the event loop, where it must end with its first request. Nothing is left of a
   * try that fails, and the call runs again on a pool.
   */
  private boolean tryOnLoop(Call call, ScanRequest request) throws IOException {
    OnlineRegion region = regions.lookup(request.getRegion());
    if (!isReplySmall(request, region) || !region.scanTries().mayTry()) {
      return false;
    }
    call.memory().system(region.isSystem());
    OpenScanner scanner = open(call, request, region, false);
    if (scanner == null || !read(call, request, scanner, opened(scanner), false)) {
      region.scanTries().failed();
      return false;
    }
    region.scanTries().succeeded();
    return true;
  }

  /** The region's mean result says how large the reply is, unless the scan has a last row. */
  private static boolean isReplySmall(ScanRequest request, OnlineRegion region) {
    return !request.getScan().getStopRow().isEmpty()
        || region.resultBytes().of(ScanRun.resultsMax(request)) <= ScanRun.LOOP_BYTES;
  }

  private boolean run(Call call, ScanRequest request) throws IOException {
    ScanResponse.Builder response = ScanResponse.newBuilder();
    OpenScanner scanner;
    if (request.hasScannerId()) {
      response.setScannerId(request.getScannerId());
      try {
        scanner = scanners.take(request);
      } catch (ScannerRegistry.AlreadyClosedException e) {
        call.reply(response.build());
        return true;
      }
    } else if (request.hasScan()) {
      scanner = open(call, request, regions.lookup(request.getRegion()), true);
      response = opened(scanner);
    } else {
      throw new DoNotRetryIOException("Missing required input: scannerId or scan");
    }
    checkSequence(scanner, request);
    if (request.getRenew()) {
      countFullScan(scanner); // as in HBase
      scanners.giveBack(scanner);
      call.reply(response.build());
      return true;
    }
    return read(call, request, scanner, response, true);
  }

  private ScanResponse.Builder opened(OpenScanner scanner) {
    return ScanResponse.newBuilder().setScannerId(scanner.id()).setTtl(config.scannerLeaseMillis());
  }

  private void countFullScan(OpenScanner scanner) {
    if (scanner.readsWholeRegion()) {
      operations.fullScan();
    }
  }

  /** The scanner, or null when to open it would block. */
  private OpenScanner open(Call call, ScanRequest request, OnlineRegion region, boolean mayBlock)
      throws IOException {
    ByteBuf spec = EngineScratch.get().spec();
    boolean filtersRows = RegionReads.write(request.getScan(), region, spec);
    if (call.clientReadsTags()) {
      ReadFlags.addTags(spec);
    }
    if (!mayBlock) {
      ReadFlags.addNonBlocking(spec);
    }
    ByteBuffer nio = spec.internalNioBuffer(0, spec.writerIndex());
    EngineScanner engine = region.engine().openScanner(nio);
    if (engine == null) {
      return null;
    }
    return scanners.add(
        region,
        engine,
        request.getScan(),
        filtersRows,
        spec.writerIndex(),
        call.connection().memoryPeer());
  }

  private void checkSequence(OpenScanner scanner, ScanRequest request)
      throws OutOfOrderScannerNextException {
    try {
      scanner.checkSequence(request);
    } catch (OutOfOrderScannerNextException e) {
      countFullScan(scanner);
      scanners.giveBack(scanner);
      throw e;
    }
  }

  /** Reads and replies; false when the scan was given up, with its scanner. */
  private boolean read(
      Call call,
      ScanRequest request,
      OpenScanner scanner,
      ScanResponse.Builder response,
      boolean mayBlock)
      throws IOException {
    ByteBuf cells;
    boolean ends;
    boolean isGivenUp;
    boolean losesPlace;
    try {
      ScanRun run = new ScanRun(call, request, scanner, scanners, config, mayBlock);
      try {
        cells = run.run(response);
      } finally {
        run.count(operations);
        run.release();
      }
      isGivenUp = run.isGivenUp();
      losesPlace = run.losesPlace();
      ends =
          !response.getMoreResults()
              || !response.getMoreResultsInRegion()
              || request.getCloseScanner();
    } catch (IOException | RuntimeException | OutOfMemoryError e) {
      scanners.drop(scanner);
      throw scanError(e, call);
    } catch (Throwable t) {
      scanners.drop(scanner); // its lease would be taken for ever
      throw t;
    }
    if (isGivenUp) {
      scanners.drop(scanner);
      return false;
    } else if (ends) {
      scanners.close(scanner);
    } else if (losesPlace) {
      scanners.drop(scanner); // the client learns it from its next call
    } else {
      scanners.giveBack(scanner); // before the reply, which the client's next call may overtake
    }
    call.reply(response.build(), cells);
    return true;
  }

  /** An error ends the scanner, so the client is told to open another unless it must not. */
  private static IOException scanError(Throwable error, Call call) {
    IOException adapted = ErrorAdapter.adapt(error);
    if (adapted instanceof DoNotRetryIOException) {
      return adapted;
    }
    if (adapted instanceof FileNotFoundException) {
      return new DoNotRetryIOException(adapted);
    }
    return call.clientVersion().resetsScanners()
        ? new ScannerResetException("Scanner is closed on the server-side", adapted)
        : new UnknownScannerException(
            "Throwing UnknownScannerException to reset the client scanner state for clients older"
                + " than 1.3.",
            adapted);
  }
}

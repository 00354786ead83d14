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
    return Handlers.POOL;
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
      scanner = open(call, request);
      response.setScannerId(scanner.id()).setTtl(config.scannerLeaseMillis());
    } else {
      throw new DoNotRetryIOException("Missing required input: scannerId or scan");
    }
    if (scanner.readsWholeRegion()) {
      operations.fullScan(); // renewals and closes count, too, as in HBase
    }
    if (!checkSequence(scanner, request) || request.getRenew()) {
      scanners.giveBack(scanner);
      call.reply(response.build());
      return true;
    }
    read(call, request, scanner, response);
    return true;
  }

  private OpenScanner open(Call call, ScanRequest request) throws IOException {
    OnlineRegion region = regions.lookup(request.getRegion());
    ByteBuf spec = EngineScratch.get().spec();
    boolean filtersRows = RegionReads.write(request.getScan(), region, spec);
    if (call.clientReadsTags()) {
      ReadFlags.addTags(spec);
    }
    ByteBuffer nio = spec.internalNioBuffer(0, spec.writerIndex());
    EngineScanner engine = region.engine().openScanner(nio);
    return scanners.add(
        region,
        engine,
        request.getScan(),
        filtersRows,
        spec.writerIndex(),
        call.connection().memoryPeer());
  }

  private boolean checkSequence(OpenScanner scanner, ScanRequest request)
      throws OutOfOrderScannerNextException {
    try {
      scanner.checkSequence(request);
      return true;
    } catch (OutOfOrderScannerNextException e) {
      scanners.giveBack(scanner);
      throw e;
    }
  }

  private void read(
      Call call, ScanRequest request, OpenScanner scanner, ScanResponse.Builder response)
      throws IOException {
    ByteBuf cells;
    boolean ends;
    boolean losesPlace;
    try {
      ScanRun run = new ScanRun(call, request, scanner, scanners, config);
      try {
        cells = run.run(response);
      } finally {
        run.count(operations);
        run.release();
      }
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
    if (ends) {
      scanners.close(scanner);
    } else if (losesPlace) {
      scanners.drop(scanner); // the client learns it from its next call
    } else {
      scanners.giveBack(scanner); // before the reply, which the client's next call may overtake
    }
    call.reply(response.build(), cells);
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

package org.grampus.server.service;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.compat.protocol.PiecesReply;
import org.grampus.compat.protocol.PiecesRequest;
import org.grampus.compat.protocol.SplitService;
import org.grampus.engine.RowPiece;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.rpc.Call;

/**
 * GrampusSplitService: where the bytes of a region are, for jobs that split its rows. A call takes
 * its turn as one of a scan does, and less time. The engine bounds what it takes of memory, which
 * is in no pool of the account; so few calls run at a time. Any thread.
 */
final class SplitEndpoint implements RegionEndpoint {
  /** What clients make of the messages has this name, as the service's file says. */
  private static final String RESPONSE_CLASS =
      "org.grampus.compat.protocol.generated.GrampusSplitProtos$PiecesReply";

  /** Calls that run at a time: each takes up to 16 MiB of the heap, and as much beside it. */
  private static final int CALLS_MAX = 2;

  /** A job has many regions to ask about, and does not wait for long. */
  private static final long TIME_MAX_MILLIS = 2_000;

  private final ClientServiceConfig config;
  private final Semaphore calls = new Semaphore(CALLS_MAX);

  SplitEndpoint(ClientServiceConfig config) {
    this.config = config;
  }

  @Override
  public String service() {
    return SplitService.NAME;
  }

  @Override
  public String method() {
    return SplitService.GET_PIECES;
  }

  @Override
  public boolean mayGiveWay() {
    return true;
  }

  @Override
  public boolean run(
      Call call, CoprocessorServiceRequest request, OnlineRegion region, boolean mayBlock)
      throws IOException {
    if (!mayBlock) {
      return false;
    }
    long pieceBytes = PiecesRequest.parse(request.getCall().getRequest()).pieceBytes();
    if (pieceBytes == 0) {
      throw new DoNotRetryIOException("piece_bytes must be above 0");
    }
    if (!calls.tryAcquire()) {
      throw new CallQueueTooBigException(
          CALLS_MAX + " calls of " + SplitService.NAME + " run; try again");
    }
    try {
      long millis = Math.min(ReadBudget.millis(call, config), TIME_MAX_MILLIS);
      ByteString reply = reply(region.engine().pieces(pieceBytes, millis), region).toByteString();
      call.reply(RegionEndpoint.response(request, RESPONSE_CLASS, reply));
    } finally {
      calls.release();
    }
    return true;
  }

  private static PiecesReply reply(List<RowPiece> pieces, OnlineRegion region) {
    return new PiecesReply(
        pieces.stream()
            .map(piece -> new PiecesReply.Piece(bytes(piece.firstRow()), piece.bytes()))
            .toList(),
        bytes(region.info().getEndKey()));
  }

  private static ByteString bytes(byte[] key) {
    return UnsafeByteOperations.unsafeWrap(key);
  }
}

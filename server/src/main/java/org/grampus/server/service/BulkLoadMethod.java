package org.grampus.server.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileRequest.FamilyPath;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.BulkLoadHFileResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;
import org.grampus.engine.LoadRequest;
import org.grampus.server.region.LoadSource;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.Call;
import org.grampus.server.rpc.DurableReply;
import org.grampus.server.rpc.Handlers;
import org.grampus.server.rpc.RpcMethod;
import org.grampus.server.rpc.WriteFence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ClientService.BulkLoadHFile: column files become a region's, of all families together or none.
 *
 * <p>"Not loaded" is the answer to files that do not fit the region, after which clients look at
 * its bounds again. Whatever else is wrong is an exception; HBase says "not loaded" then, too, and
 * its client tries in vain, round after round.
 */
final class BulkLoadMethod implements RpcMethod {
  private static final Logger LOG = LoggerFactory.getLogger(BulkLoadMethod.class);

  /** The most that run at a time: each has a handler while its files are copied and flushed. */
  private static final int LOADS_MAX = 4;

  /** The most files that a call may name, as {@code load_request.rs} says. */
  private static final int FILES_MAX = 1024;

  private final RegionRegistry regions;
  private final StagingArea staging;
  private final WriteFence fence;
  private final Operations operations;
  private final Semaphore free = new Semaphore(LOADS_MAX);

  BulkLoadMethod(
      RegionRegistry regions, StagingArea staging, WriteFence fence, Operations operations) {
    this.regions = regions;
    this.staging = staging;
    this.fence = fence;
    this.operations = operations;
  }

  @Override
  public String name() {
    return "BulkLoadHFile";
  }

  @Override
  public Message prototype() {
    return BulkLoadHFileRequest.getDefaultInstance();
  }

  @Override
  public Handlers handlers(Call call) {
    return Handlers.POOL;
  }

  @Override
  public boolean run(Call call, boolean mayBlock) throws IOException {
    if (!mayBlock) {
      return false;
    }
    BulkLoadHFileRequest request = (BulkLoadHFileRequest) call.param();
    if (!free.tryAcquire()) {
      throw new RegionTooBusyException(
          LOADS_MAX + " bulk loads are under way in this server: try again");
    }
    try {
      run(call, request);
    } finally {
      free.release();
    }
    return true;
  }

  private void run(Call call, BulkLoadHFileRequest request) throws IOException {
    OnlineRegion region = regions.lookup(request.getRegion());
    DurableReply reply = new DurableReply(call);
    reply.fence(fence);
    boolean loaded;
    try {
      loaded = load(region, order(request, region.defaults().verifiesLoads()));
    } finally {
      operations.loaded(call.ranNanos()); // of those that fail HBase keeps the time, too
    }
    region.counters().write(1);
    reply.ready(BulkLoadHFileResponse.newBuilder().setLoaded(loaded).build(), null);
  }

  private LoadRequest order(BulkLoadHFileRequest request, boolean verify) throws IOException {
    if (request.getFamilyPathCount() == 0) {
      throw new DoNotRetryIOException("A bulk load names at least one file");
    }
    // Before each is looked at.
    if (request.getFamilyPathCount() > FILES_MAX) {
      throw new DoNotRetryIOException(
          "The load names "
              + request.getFamilyPathCount()
              + " files, more than "
              + FILES_MAX
              + ": load them in several calls");
    }
    String token = request.hasBulkToken() ? request.getBulkToken() : null;
    // The reply to a load that has ended, and whose directory is gone, may have been lost.
    boolean isRepeat = token != null && !staging.isPrepared(token);
    List<LoadRequest.File> files = new ArrayList<>(request.getFamilyPathCount());
    for (FamilyPath path : request.getFamilyPathList()) {
      files.add(LoadSource.of(staging, token, path.getFamily().toByteArray(), path.getPath()));
    }
    return new LoadRequest(files, request.getCopyFile(), verify, isRepeat);
  }

  private boolean load(OnlineRegion region, LoadRequest request) {
    try {
      region.engine().loadFiles(request, fence::isOpen);
      return true;
    } catch (EngineException e) {
      if (e.kind() != ErrorKind.WRONG_REGION) {
        throw e;
      }
      LOG.info("a bulk load into {} is not done: {}", region.encodedName(), e.getMessage());
      return false;
    }
  }
}

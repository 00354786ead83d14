package org.grampus.server.admin;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.QuotaProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.apache.hbase.thirdparty.com.google.protobuf.RpcController;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.engine.CompactionRequest;
import org.grampus.engine.EngineException;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.RegionStats;
import org.grampus.server.assignment.RegionSplitter;
import org.grampus.server.assignment.RemoteProcedures;
import org.grampus.server.env.Env;
import org.grampus.server.region.LoadReport;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.slowlog.SlowLog;

/**
 * HBase's AdminService over our regions. What cannot be served (replication, region replicas) is
 * refused with a reason; what has no counterpart here (favoured nodes) is answered as by a server
 * that has none.
 */
public final class AdminService implements AdminProtos.AdminService.BlockingInterface {
  /** HBase's two; they are one here. */
  private static final Set<String> COMPACTION_QUEUES = Set.of("long", "short");

  private static final ByteString NOT_CLEARED =
      ByteString.copyFromUtf8("the region does not serve here, its cache was not cleared");

  private final RegionRegistry registry;
  private final RemoteProcedures procedures;
  private final RegionSplitter splitter;
  private final RegionFiles files;
  private final NativeEngine engine;
  private final SlowLog slowLog;
  private final ServerControl control;

  /** A part of a call that can fail. */
  private interface Part<T> {
    T run() throws IOException;
  }

  /** The service over the parts of one server. */
  public AdminService(
      RegionRegistry registry,
      RemoteProcedures procedures,
      RegionSplitter splitter,
      RegionFiles files,
      NativeEngine engine,
      SlowLog slowLog,
      ServerControl control) {
    this.registry = registry;
    this.procedures = procedures;
    this.splitter = splitter;
    this.files = files;
    this.engine = engine;
    this.slowLog = slowLog;
    this.control = control;
  }

  @Override
  public AdminProtos.ExecuteProceduresResponse executeProcedures(
      RpcController controller, AdminProtos.ExecuteProceduresRequest request)
      throws ServiceException {
    return part(
        "cannot take orders",
        () -> {
          procedures.submit(request);
          return AdminProtos.ExecuteProceduresResponse.getDefaultInstance();
        });
  }

  @Override
  public AdminProtos.GetRegionInfoResponse getRegionInfo(
      RpcController controller, AdminProtos.GetRegionInfoRequest request) throws ServiceException {
    OnlineRegion region = lookup(request.getRegion());
    RegionStats stats =
        part("cannot look at " + region.encodedName(), () -> region.engine().stats());
    boolean splittable = part("cannot split", () -> splitter.canSplit(region, stats));
    AdminProtos.GetRegionInfoResponse.Builder reply =
        AdminProtos.GetRegionInfoResponse.newBuilder()
            .setRegionInfo(ProtobufUtil.toRegionInfo(region.info()))
            .setSplittable(splittable)
            .setMergeable(!stats.hasReferences());
    if (request.hasCompactionState() && request.getCompactionState()) {
      reply.setCompactionState(ProtobufUtil.createCompactionState(LoadReport.state(stats)));
    }
    if (request.hasBestSplitRow() && request.getBestSplitRow() && splittable) {
      byte[] row =
          part(
              "cannot find a split row of " + region.encodedName(),
              () -> splitter.splitRow(region));
      if (row != null) {
        reply.setBestSplitRow(UnsafeByteOperations.unsafeWrap(row));
      }
    }
    return reply.build();
  }

  @Override
  public AdminProtos.GetStoreFileResponse getStoreFile(
      RpcController controller, AdminProtos.GetStoreFileRequest request) throws ServiceException {
    OnlineRegion region = lookup(request.getRegion());
    Path dir = files.regionDir(region.info());
    AdminProtos.GetStoreFileResponse.Builder reply = AdminProtos.GetStoreFileResponse.newBuilder();
    for (ColumnFamilyDescriptor family : region.table().getColumnFamilies()) {
      if (request.getFamilyCount() > 0
          && !request.getFamilyList().contains(ByteString.copyFrom(family.getName()))) {
        continue;
      }
      try {
        Path own = new Path(dir, family.getNameAsString());
        Stream.of(files.fileSystem().listStatus(own))
            .map(file -> RegionFiles.place(file.getPath()))
            .sorted()
            .forEach(reply::addStoreFile);
      } catch (IOException e) {
        throw new ServiceException(e);
      }
    }
    return reply.build();
  }

  @Override
  public AdminProtos.GetOnlineRegionResponse getOnlineRegion(
      RpcController controller, AdminProtos.GetOnlineRegionRequest request) {
    AdminProtos.GetOnlineRegionResponse.Builder reply =
        AdminProtos.GetOnlineRegionResponse.newBuilder();
    registry.all().forEach(region -> reply.addRegionInfo(ProtobufUtil.toRegionInfo(region.info())));
    return reply.build();
  }

  @Override
  public AdminProtos.OpenRegionResponse openRegion(
      RpcController controller, AdminProtos.OpenRegionRequest request) throws ServiceException {
    throw refused(
        "openRegion is not used by masters since HBase 2.2; regions are opened through"
            + " executeProcedures");
  }

  @Override
  public AdminProtos.WarmupRegionResponse warmupRegion(
      RpcController controller, AdminProtos.WarmupRegionRequest request) {
    return AdminProtos.WarmupRegionResponse.getDefaultInstance();
  }

  @Override
  public AdminProtos.CloseRegionResponse closeRegion(
      RpcController controller, AdminProtos.CloseRegionRequest request) throws ServiceException {
    return part(
        "cannot close a region",
        () -> {
          procedures.closeUnreported(request);
          return AdminProtos.CloseRegionResponse.newBuilder().setClosed(true).build();
        });
  }

  @Override
  public AdminProtos.FlushRegionResponse flushRegion(
      RpcController controller, AdminProtos.FlushRegionRequest request) throws ServiceException {
    OnlineRegion region = lookup(request.getRegion());
    return part("cannot flush " + region.encodedName(), () -> flushed(region));
  }

  private static AdminProtos.FlushRegionResponse flushed(OnlineRegion region) {
    region.engine().flushAndCompact();
    return AdminProtos.FlushRegionResponse.newBuilder()
        .setLastFlushTime(Env.millis())
        .setFlushed(true)
        .build();
  }

  @Override
  public AdminProtos.CompactionSwitchResponse compactionSwitch(
      RpcController controller, AdminProtos.CompactionSwitchRequest request) {
    boolean previous = engine.setCompactionsEnabled(request.getEnabled());
    return AdminProtos.CompactionSwitchResponse.newBuilder().setPrevState(previous).build();
  }

  @Override
  public AdminProtos.CompactRegionResponse compactRegion(
      RpcController controller, AdminProtos.CompactRegionRequest request) throws ServiceException {
    OnlineRegion region = lookup(request.getRegion());
    boolean all = request.getFamily().isEmpty();
    CompactionRequest compaction =
        new CompactionRequest(all ? null : request.getFamily().toByteArray(), request.getMajor());
    return part(
        "cannot compact " + region.encodedName(),
        () -> {
          region.engine().compact(compaction);
          return AdminProtos.CompactRegionResponse.getDefaultInstance();
        });
  }

  @Override
  public AdminProtos.ReplicateWALEntryResponse replicateWALEntry(
      RpcController controller, AdminProtos.ReplicateWALEntryRequest request)
      throws ServiceException {
    throw refused("this server is no replication sink");
  }

  @Override
  public AdminProtos.ReplicateWALEntryResponse replay(
      RpcController controller, AdminProtos.ReplicateWALEntryRequest request)
      throws ServiceException {
    throw refused("region replicas are not supported");
  }

  @Override
  public AdminProtos.RollWALWriterResponse rollWALWriter(
      RpcController controller, AdminProtos.RollWALWriterRequest request) throws ServiceException {
    return part(
        "cannot roll the WAL",
        () -> {
          engine.rollWal();
          return AdminProtos.RollWALWriterResponse.getDefaultInstance();
        });
  }

  @Override
  public AdminProtos.GetServerInfoResponse getServerInfo(
      RpcController controller, AdminProtos.GetServerInfoRequest request) {
    return AdminProtos.GetServerInfoResponse.newBuilder()
        .setServerInfo(
            AdminProtos.ServerInfo.newBuilder()
                .setServerName(ProtobufUtil.toServerName(control.server())))
        .build();
  }

  @Override
  public AdminProtos.StopServerResponse stopServer(
      RpcController controller, AdminProtos.StopServerRequest request) {
    control.stop("asked by an administrator: " + request.getReason());
    return AdminProtos.StopServerResponse.getDefaultInstance();
  }

  @Override
  public AdminProtos.UpdateFavoredNodesResponse updateFavoredNodes(
      RpcController controller, AdminProtos.UpdateFavoredNodesRequest request) {
    return AdminProtos.UpdateFavoredNodesResponse.newBuilder()
        .setResponse(request.getUpdateInfoCount())
        .build();
  }

  @Override
  public AdminProtos.UpdateConfigurationResponse updateConfiguration(
      RpcController controller, AdminProtos.UpdateConfigurationRequest request) {
    // No setting of this server changes while it runs, so there is nothing to read again.
    return AdminProtos.UpdateConfigurationResponse.getDefaultInstance();
  }

  @Override
  public AdminProtos.GetRegionLoadResponse getRegionLoad(
      RpcController controller, AdminProtos.GetRegionLoadRequest request) {
    TableName table =
        request.hasTableName() ? ProtobufUtil.toTableName(request.getTableName()) : null;
    return AdminProtos.GetRegionLoadResponse.newBuilder()
        .addAllRegionLoads(
            LoadReport.regions(
                table == null ? registry.all() : registry.ofTable(table), engine.regionStats()))
        .build();
  }

  @Override
  public AdminProtos.ClearCompactionQueuesResponse clearCompactionQueues(
      RpcController controller, AdminProtos.ClearCompactionQueuesRequest request)
      throws ServiceException {
    for (String queue : request.getQueueNameList()) {
      if (!COMPACTION_QUEUES.contains(queue)) {
        throw new ServiceException(new IOException("Unknown queue name " + queue));
      }
    }
    if (request.getQueueNameCount() > 0) {
      engine.clearCompactions();
    }
    return AdminProtos.ClearCompactionQueuesResponse.getDefaultInstance();
  }

  @Override
  public AdminProtos.ClearRegionBlockCacheResponse clearRegionBlockCache(
      RpcController controller, AdminProtos.ClearRegionBlockCacheRequest request) {
    HBaseProtos.CacheEvictionStats.Builder stats =
        HBaseProtos.CacheEvictionStats.newBuilder()
            .setMaxCacheSize(engine.metrics().get("block_cache.capacity_bytes"));
    Map<Class<?>, HBaseProtos.NameBytesPair> errors = new HashMap<>(2);
    long evicted = 0;
    for (HBaseProtos.RegionSpecifier specifier : request.getRegionList()) {
      try {
        evicted += registry.lookup(specifier).engine().clearCache();
      } catch (IOException | EngineException e) {
        stats.addException(
            HBaseProtos.RegionExceptionMessage.newBuilder()
                .setRegion(specifier)
                .setException(
                    errors.computeIfAbsent(
                        ErrorAdapter.adapt(e).getClass(), AdminService::notCleared)));
      }
    }
    return AdminProtos.ClearRegionBlockCacheResponse.newBuilder()
        .setStats(stats.setEvictedBlocks(evicted))
        .build();
  }

  /**
   * The error of each region that is not here, which keeps no other from being cleared. It has no
   * text of its own: a request may name a region in six bytes, and HBase's text has two thousand.
   */
  private static HBaseProtos.NameBytesPair notCleared(Class<?> error) {
    return HBaseProtos.NameBytesPair.newBuilder()
        .setName(error.getName())
        .setValue(NOT_CLEARED)
        .build();
  }

  @Override
  public QuotaProtos.GetSpaceQuotaSnapshotsResponse getSpaceQuotaSnapshots(
      RpcController controller, QuotaProtos.GetSpaceQuotaSnapshotsRequest request) {
    return QuotaProtos.GetSpaceQuotaSnapshotsResponse.getDefaultInstance();
  }

  @Override
  public AdminProtos.SlowLogResponses getSlowLogResponses(
      RpcController controller, AdminProtos.SlowLogResponseRequest request) {
    return slowCalls(request);
  }

  @Override
  public AdminProtos.SlowLogResponses getLargeLogResponses(
      RpcController controller, AdminProtos.SlowLogResponseRequest request) {
    return slowCalls(request);
  }

  private AdminProtos.SlowLogResponses slowCalls(AdminProtos.SlowLogResponseRequest request) {
    return AdminProtos.SlowLogResponses.newBuilder()
        .addAllSlowLogPayloads(slowLog.find(request))
        .build();
  }

  @Override
  public AdminProtos.ClearSlowLogResponses clearSlowLogsResponses(
      RpcController controller, AdminProtos.ClearSlowLogResponseRequest request) {
    return AdminProtos.ClearSlowLogResponses.newBuilder().setIsCleaned(slowLog.clear()).build();
  }

  @Override
  public HBaseProtos.LogEntry getLogEntries(
      RpcController controller, HBaseProtos.LogRequest request) throws ServiceException {
    if (!request.getLogClassName().contains("SlowLogResponseRequest")) {
      throw new ServiceException(
          new DoNotRetryIOException("there is no log " + request.getLogClassName() + " here"));
    }
    try {
      AdminProtos.SlowLogResponseRequest asked =
          AdminProtos.SlowLogResponseRequest.parseFrom(request.getLogMessage());
      return HBaseProtos.LogEntry.newBuilder()
          .setLogClassName(AdminProtos.SlowLogResponses.class.getName())
          .setLogMessage(slowCalls(asked).toByteString())
          .build();
    } catch (InvalidProtocolBufferException e) {
      throw new ServiceException(new DoNotRetryIOException(e));
    }
  }

  @Override
  public AdminProtos.GetCachedFilesListResponse getCachedFilesList(
      RpcController controller, AdminProtos.GetCachedFilesListRequest request) {
    return AdminProtos.GetCachedFilesListResponse.newBuilder().addAllCachedFiles(List.of()).build();
  }

  private OnlineRegion lookup(HBaseProtos.RegionSpecifier specifier) throws ServiceException {
    return part("cannot find a region", () -> registry.lookup(specifier));
  }

  /**
   * Runs a part of a call. Its error keeps the class by which a client knows what it may do; one of
   * the engine says what it kept from being done.
   */
  private static <T> T part(String failure, Part<T> part) throws ServiceException {
    try {
      return part.run();
    } catch (EngineException e) {
      throw new ServiceException(ErrorAdapter.adapt(failure, e));
    } catch (IOException e) {
      throw new ServiceException(e);
    }
  }

  private static ServiceException refused(String reason) {
    return new ServiceException(new DoNotRetryIOException(reason));
  }
}

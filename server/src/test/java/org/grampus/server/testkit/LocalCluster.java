package org.grampus.server.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.filter.pattern.HBasePatterns;
import org.grampus.compat.filter.pattern.MatchLimits;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.CallObserver;
import org.grampus.server.rpc.CompletionPump;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.RunningCall;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.service.ClientMetaService;
import org.grampus.server.service.ClientService;
import org.grampus.server.service.ClientServiceConfig;
import org.grampus.server.service.ClusterView;
import org.grampus.server.service.LoadStatistics;
import org.grampus.server.service.OperationObserver;
import org.grampus.server.service.ScannerRegistry;

/** A server with hbase:meta and regions of one table over an engine of its own. */
public final class LocalCluster implements AutoCloseable, ClusterView {
  /** The cluster's id. */
  public static final String CLUSTER_ID = "5f9a3f0a-0000-4711-8000-fa4ec1a57e55";

  /** The table. */
  public static final TableName TABLE = TableName.valueOf("t");

  private static final byte[] INFO = HConstants.CATALOG_FAMILY;

  private final Path root;
  private final NativeEngine engine;
  private final InjectedCompletions completions;
  private final CompletionPump pump;
  private final RegionRegistry regions;
  private final List<InjectedRegion> opened = new ArrayList<>();
  private final ScannerRegistry scanners;
  private final RpcServer server;
  private final InjectedRegion meta;
  private ServerName self = ServerName.valueOf("127.0.0.1", 1, 1);
  private volatile Throwable fatal;

  /** What the fence says: false refuses writes and their replies. */
  public volatile boolean mayWrite = true;

  /** Runs whenever the fence is asked. */
  public volatile Runnable fenceAsked = () -> {};

  /** A running server. */
  public LocalCluster(Configuration conf) throws IOException {
    this(conf, List.of(), OperationObserver.NONE);
  }

  /** A running server whose calls and operations are looked at. */
  public LocalCluster(Configuration conf, List<CallObserver> calls, OperationObserver observer)
      throws IOException {
    conf.setInt("hbase.regionserver.port", 0);
    root = Files.createTempDirectory("local-cluster-");
    engine =
        NativeEngine.open(
            EngineConfig.DEFAULTS,
            new HBasePatterns(
                MatchLimits.of(conf, RunningCall::searchTime, RunningCall::isAbandoned)));
    LocalRegion.startLogs(engine, root);
    completions = new InjectedCompletions(engine);
    pump = new CompletionPump(completions, error -> fatal = error);
    regions = new RegionRegistry(() -> self);
    ClientServiceConfig clientConfig = ClientServiceConfig.from(conf);
    ServiceRegistry services = new ServiceRegistry();
    server = new RpcServer(RpcServerConfig.from(conf), services, this::clusterId, calls);
    scanners = new ScannerRegistry(self, regions, clientConfig, server.dispatcher().account());
    services
        .add(
            new ClientService(
                regions,
                scanners,
                pump,
                this::mayWrite,
                new StagingArea(root),
                clientConfig,
                observer,
                LoadStatistics.NONE))
        .add(new ClientMetaService(this));
    pump.start();
    server.start();
    self = ServerName.valueOf("127.0.0.1", server.port(), 1);
    meta =
        open(
            RegionInfoBuilder.FIRST_META_REGIONINFO,
            descriptor(TableName.META_TABLE_NAME, "info"),
            1);
  }

  private boolean mayWrite() {
    fenceAsked.run();
    return mayWrite;
  }

  private InjectedRegion open(RegionInfo info, TableDescriptor table, long openSeqNum) {
    InjectedRegion region =
        new InjectedRegion(LocalRegion.open(engine, root, info, table), completions);
    regions.add(new OnlineRegion(info, table, region, openSeqNum));
    opened.add(region);
    return region;
  }

  private static TableDescriptor descriptor(TableName name, String... families) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    for (String family : families) {
      table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family));
    }
    return table.build();
  }

  /** Adds a region of the table to this server and to hbase:meta. */
  public InjectedRegion addRegion(String startKey, String endKey) {
    RegionInfo info =
        RegionInfoBuilder.newBuilder(TABLE)
            .setStartKey(Bytes.toBytes(startKey))
            .setEndKey(Bytes.toBytes(endKey))
            .setRegionId(1)
            .build();
    InjectedRegion region = open(info, descriptor(TABLE, "f", "g"), 2);
    column(info, "regioninfo", RegionInfo.toByteArray(info));
    column(info, "server", Bytes.toBytes("127.0.0.1:" + server.port()));
    column(info, "serverstartcode", Bytes.toBytes(1L));
    column(info, "seqnumDuringOpen", Bytes.toBytes(2L));
    column(info, "state", Bytes.toBytes("OPEN"));
    return region;
  }

  /** Names the region of the table that has a row, as requests do. */
  public RegionSpecifier region(String row) {
    byte[] key = Bytes.toBytes(row);
    OnlineRegion region =
        regions.all().stream()
            .filter(r -> !r.isSystem() && r.info().containsRow(key))
            .findFirst()
            .orElseThrow();
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(region.name())
        .build();
  }

  private void column(RegionInfo info, String qualifier, byte[] value) {
    meta.load(new KeyValue(info.getRegionName(), INFO, Bytes.toBytes(qualifier), 1, value));
  }

  /** A configuration for clients of this server. */
  public Configuration clientConfiguration() {
    Configuration conf = new Configuration(false);
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", "127.0.0.1:" + server.port());
    conf.set("hbase.defaults.for.version.skip", "true");
    conf.setInt("hbase.client.retries.number", 2);
    conf.setInt("hbase.rpc.timeout", 20_000);
    return conf;
  }

  /** The server. */
  public RpcServer server() {
    return server;
  }

  /** The engine. */
  public NativeEngine engine() {
    return engine;
  }

  /** The root directory. */
  public Path rootDir() {
    return root;
  }

  /** The regions. */
  public RegionRegistry regions() {
    return regions;
  }

  /** The scanners. */
  public ScannerRegistry scanners() {
    return scanners;
  }

  /** The completions of all regions. */
  public InjectedCompletions completions() {
    return completions;
  }

  /** What the pump reported as fatal. */
  public Throwable fatal() {
    return fatal;
  }

  /** The test expected it. */
  public void forgetFatal() {
    fatal = null;
  }

  @Override
  public String clusterId() {
    return CLUSTER_ID;
  }

  @Override
  public Optional<ServerName> activeMaster() {
    return Optional.of(self);
  }

  @Override
  public List<ServerName> backupMasters() {
    return List.of();
  }

  @Override
  public List<HRegionLocation> metaRegionLocations() {
    return List.of(new HRegionLocation(RegionInfoBuilder.FIRST_META_REGIONINFO, self, 1));
  }

  @Override
  public List<ServerName> bootstrapNodes(int limit) {
    return List.of(self);
  }

  @Override
  public void close() {
    server.close();
    scanners.close();
    pump.close();
    opened.forEach(region -> region.close(true));
    LocalRegion.abandon(engine);
    LocalRegion.delete(root);
  }
}

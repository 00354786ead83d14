package org.grampus.server.daemon;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.shaded.protobuf.generated.AdminProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.grampus.compat.filter.pattern.HBasePatterns;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.NativeEngine;
import org.grampus.server.admin.AdminService;
import org.grampus.server.admin.ServerControl;
import org.grampus.server.assignment.RegionLifecycle;
import org.grampus.server.assignment.RegionProcedures;
import org.grampus.server.assignment.RegionSplitter;
import org.grampus.server.assignment.RemoteProcedures;
import org.grampus.server.cluster.ClusterLink;
import org.grampus.server.cluster.FatalHandler;
import org.grampus.server.cluster.Heartbeat;
import org.grampus.server.cluster.MasterLink;
import org.grampus.server.cluster.Registration;
import org.grampus.server.cluster.TransitionReporter;
import org.grampus.server.cluster.ZooKeeperClusterView;
import org.grampus.server.env.Env;
import org.grampus.server.hadoop.HadoopFiles;
import org.grampus.server.info.InfoPort;
import org.grampus.server.info.RecentEvents;
import org.grampus.server.info.StatusSource;
import org.grampus.server.metrics.CallMetrics;
import org.grampus.server.metrics.ClientBackpressure;
import org.grampus.server.metrics.Identity;
import org.grampus.server.metrics.PublishedMetrics;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.procedure.TableProcedures;
import org.grampus.server.region.BlockLocality;
import org.grampus.server.region.LoadReport;
import org.grampus.server.region.RegionFanOut;
import org.grampus.server.region.RegionFiles;
import org.grampus.server.region.RegionOpener;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.region.RegionSnapshots;
import org.grampus.server.region.SnapshotVerifier;
import org.grampus.server.region.StagingArea;
import org.grampus.server.rpc.BlockingServiceAdapter;
import org.grampus.server.rpc.CallObserver;
import org.grampus.server.rpc.CompletionPump;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.service.BootstrapNodes;
import org.grampus.server.service.ClientMetaService;
import org.grampus.server.service.ClientService;
import org.grampus.server.service.ClientServiceConfig;
import org.grampus.server.service.ClusterView;
import org.grampus.server.service.ScannerRegistry;
import org.grampus.server.slowlog.SlowLog;
import org.grampus.server.trace.CallSpans;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One region server: the engine, the RPC front end and the link to the cluster, started and stopped
 * in an order that never serves without a log and never loses what was acknowledged.
 */
final class RegionServer implements ServerControl {
  private static final Logger LOG = LoggerFactory.getLogger(RegionServer.class);

  private final Configuration conf;
  private final StopRequest stop;
  private final ClusterLink cluster;
  private final RegionFiles files;

  /** Has the engine's files; null where all are on local disks. */
  private final HadoopFiles remote;

  private final NativeEngine engine;
  private final EngineLog engineLog;
  private final CallMetrics callMetrics;
  private final SlowLog slowLog;
  private final RpcServer rpc;
  private final CompletionPump completions;
  private final ServerName server;
  private final RegionRegistry registry;
  private final WalLocation wal;
  private final FatalHandler fatal;
  private final AtomicBoolean stopped = new AtomicBoolean();
  private final StopSteps steps = new StopSteps();
  private final ServiceRegistry services = new ServiceRegistry();
  private final ScannerRegistry scanners;
  private volatile String clusterId;
  private volatile boolean serves;
  private MasterLink master;
  private RegionLifecycle lifecycle;
  private RemoteProcedures procedures;
  private TableProcedures tableProcedures;
  private Heartbeat heartbeat;
  private RegionSplitter splitter;
  private BlockLocality locality;
  private final PublishedMetrics metrics;
  private final InfoPort infoPort;
  private final RecentEvents events = new RecentEvents();

  /**
   * Binds the port and opens the engine; nothing is served before {@link #join}.
   *
   * @param settings the engine's, see {@link EngineSettings}
   * @param fatal ends the process
   * @param stop begins an orderly stop, which the caller sees to
   */
  RegionServer(Configuration conf, EngineConfig settings, FatalHandler fatal, StopRequest stop)
      throws IOException {
    this.conf = conf;
    this.stop = stop;
    this.fatal = fatal;
    this.slowLog = new SlowLog(conf);
    Undo undo = new Undo();
    try {
      this.files = undo.add("file systems", new RegionFiles(conf));
      this.callMetrics = undo.add("metrics of calls", CallMetrics.open());
      this.rpc =
          undo.add(
              "RPC server",
              new RpcServer(RpcServerConfig.from(conf), services, () -> clusterId, observers()));
      rpc.start();
      callMetrics.server(rpc);
      this.server =
          ServerName.valueOf(conf.get("hbase.regionserver.hostname"), rpc.port(), Env.millis());
      this.registry = new RegionRegistry(() -> server);
      this.scanners =
          undo.add(
              "scanners",
              new ScannerRegistry(
                  server, registry, ClientServiceConfig.from(conf), rpc.dispatcher().account()));
      this.wal = WalLocation.of(files, server);
      this.remote =
          files.areLocal()
              ? null
              : undo.add("file systems of the engine", new HadoopFiles(files.settings()));
      this.engine =
          undo.add(
              "engine",
              NativeEngine.open(
                  settings, new HBasePatterns(EngineSettings.matchLimits(conf)), remote));
      this.engineLog = new EngineLog(engine, events::add);
      engineLog.start();
      this.metrics = undo.add("metrics", openMetrics());
      this.infoPort = undo.add("info port", openInfoPort());
      this.completions =
          new CompletionPump(engine, e -> fatal.abort("the write-ahead log failed", e));
      this.cluster =
          undo.add("cluster", new ClusterLink(conf, "regionserver:" + rpc.port(), fatal));
      metrics.fence(cluster.fence());
      cluster.onClusterDown(() -> stop.make("the cluster is shut down"));
    } catch (IOException | RuntimeException e) {
      undo.run();
      throw e;
    }
  }

  private List<CallObserver> observers() {
    List<CallObserver> observers = new ArrayList<>(List.of(callMetrics, slowLog));
    observers.addAll(CallSpans.ofProcess());
    return observers;
  }

  private Identity identity() {
    return new Identity(
        server::toString,
        () -> clusterId == null ? "" : clusterId,
        ZKConfig.getZKQuorumServersString(conf),
        server.getStartCode());
  }

  private InfoPort openInfoPort() throws IOException {
    return InfoPort.open(
        conf,
        Settings.isSet(conf, InfoPort.PORT),
        new StatusSource(
            identity(),
            metrics::latest,
            rpc.dispatcher().account(),
            slowLog,
            events,
            () -> serves && !stop.isMade(),
            metrics::isFenced));
  }

  private PublishedMetrics openMetrics() {
    return PublishedMetrics.open(
        conf,
        identity(),
        new PublishedMetrics.Parts(
            engine, registry, scanners, rpc.dispatcher().account(), callMetrics, files.areLocal()));
  }

  /**
   * Joins the cluster: waits for a master, registers, starts the logs, and takes orders. False when
   * a stop was requested before a master took the server; what there is wants to be closed.
   */
  boolean join() throws IOException, InterruptedException {
    try {
      joinCluster();
      return true;
    } catch (InterruptedException e) {
      if (stop.isMade()) {
        return false;
      }
      throw e;
    }
  }

  private void joinCluster() throws IOException, InterruptedException {
    clusterId = cluster.awaitCluster(stop::isMade);
    master = new MasterLink(conf, cluster::master, clusterId);
    TransitionReporter reporter = new TransitionReporter(master, server);
    lifecycle =
        new RegionLifecycle(
            new RegionOpener(conf, engine, files),
            registry,
            reporter,
            fatal,
            scanners::closeScannersOf);
    RegionSnapshots snapshots = new RegionSnapshots(conf, files);
    procedures = openProcedures(reporter, snapshots);
    splitter =
        new RegionSplitter(
            conf, registry, engine::regionStats, reporter::readyToSplit, metrics::askedForSplit);
    addServices();
    completions.start();
    register();
    // After ZooKeeper knows the server: a log directory without one counts as a dead server's.
    engine.startWal(
        RegionFiles.place(wal.directory()), RegionFiles.place(wal.archive()), wal.prefix());
    procedures.begin();
    tableProcedures = openTableProcedures(snapshots);
    heartbeat = openHeartbeat();
    heartbeat.start();
    splitter.start();
    slowLog.begin();
    watchReplicas();
    locality = new BlockLocality(files, registry, engine::regionStats, server.getHostname());
    locality.start();
  }

  private void watchReplicas() {
    if (remote != null) {
      metrics.logReplicas(remote.replicas()::least);
      remote
          .replicas()
          .start(
              () -> {
                metrics.askedForRoll();
                engine.rollWal();
              });
    }
  }

  private RemoteProcedures openProcedures(TransitionReporter reporter, RegionSnapshots snapshots) {
    RegionProcedures ofRegions =
        new RegionProcedures(engine, files, lifecycle, snapshots, new SnapshotVerifier(files));
    return new RemoteProcedures(
        server,
        lifecycle,
        registry,
        ofRegions,
        reporter::procedureDone,
        fatal,
        regionThreads(conf));
  }

  private TableProcedures openTableProcedures(RegionSnapshots snapshots) throws IOException {
    return new TableProcedures(
        conf,
        cluster.watcher(),
        server,
        registry,
        snapshots,
        new RegionFanOut("grampus-table-procedure", regionThreads(conf)));
  }

  private Heartbeat openHeartbeat() {
    return new Heartbeat(
        master,
        server,
        new LoadReport(registry, engine::regionStats, callMetrics::requests, infoPort.port()),
        fatal,
        conf.getLong("hbase.regionserver.msginterval", 3000));
  }

  private static int regionThreads(Configuration conf) {
    return conf.getInt("hbase.regionserver.executor.openregion.threads", 3);
  }

  private void addServices() {
    AdminService admin =
        new AdminService(registry, procedures, splitter, files, engine, slowLog, this);
    services.add(
        new ClientService(
            registry,
            scanners,
            completions,
            cluster.fence(),
            StagingArea.of(files),
            ClientServiceConfig.from(conf),
            metrics.operations(),
            ClientBackpressure.from(conf, EngineSettings.flushBytes(conf), metrics::latest)));
    services.add(
        new BlockingServiceAdapter(AdminProtos.AdminService.newReflectiveBlockingService(admin)));
    ClusterView view = new ZooKeeperClusterView(cluster, clusterId, server);
    services.add(new ClientMetaService(view));
    services.add(
        new BlockingServiceAdapter(
            BootstrapNodeService.newReflectiveBlockingService(new BootstrapNodes(view))));
  }

  private void register() throws IOException, InterruptedException {
    Registration registration = Registration.register(master, server, stop::isMade);
    cluster.register(server, infoPort.port());
    String masterRoot = registration.settings().get(HConstants.HBASE_DIR);
    if (masterRoot != null && !isRoot(new Path(masterRoot))) {
      throw new IOException(
          "the master's hbase.rootdir is "
              + masterRoot
              + ", this server's is "
              + files.namedRoot()
              + "; they must be the same");
    }
    LOG.info("registered as {}", server);
  }

  /** Where our root is behind a mount, the master may name the mount or the place behind it. */
  private boolean isRoot(Path master) {
    return isSame(master, files.root()) || isSame(master, files.namedRoot());
  }

  /** A name node may have several names, but a root on HDFS is never one on a local disk. */
  private static boolean isSame(Path master, Path ours) {
    String scheme = master.toUri().getScheme();
    return (scheme == null || scheme.equals(ours.toUri().getScheme()))
        && master.toUri().getPath().equals(ours.toUri().getPath());
  }

  /** Clients are served from now on, which checks of health ask for. */
  void serving() {
    serves = true;
  }

  /** Where the status page is, for the line that operators read; empty without one. */
  String pages() {
    return infoPort.port() == LoadReport.NO_INFO_PORT
        ? ""
        : ", status page http://" + server.getHostname() + ":" + infoPort.port() + "/rs-status";
  }

  @Override
  public ServerName server() {
    return server;
  }

  @Override
  public void stop(String reason) {
    stop.make(reason);
  }

  /**
   * Ends the lookup of block locality, rolls for want of replicas, the requests for splits, the
   * slow log's writes and the load reports. Called before {@link #close} where the master stops
   * first; may be called twice.
   */
  void stopReporting() {
    if (remote != null) {
      steps.run("rolls of logs", remote.replicas()::stop);
    }
    steps.close("block locality", locality);
    if (splitter != null) {
      steps.run("splits", splitter::close);
    }
    steps.close("slow log", slowLog);
    if (heartbeat != null) {
      steps.run("heartbeat", heartbeat::close);
    }
  }

  /**
   * Stops in order: no more requests for splits, no more load reports, no more orders, regions
   * closed with their data flushed, calls ended, logs archived, and last the announcement in
   * ZooKeeper taken back. A second call does nothing.
   *
   * @throws IOException after all steps, when edits may be in the log alone
   */
  void close() throws IOException {
    if (!stopped.compareAndSet(false, true)) {
      return;
    }
    stopReporting();
    steps.close("table procedures", tableProcedures);
    endOrders();
    steps.close("info port", infoPort);
    steps.close("metrics", metrics);
    steps.close("scanners", scanners);
    steps.flush("regions", this::closeRegions);
    steps.close("RPC server", rpc);
    steps.close("metrics of calls", callMetrics);
    steps.close("completions", completions);
    steps.flush("engine", engine::close);
    steps.run("engine's log", engineLog::join);
    steps.run("log directory", wal::removeIfEmpty);
    steps.run("announcement", () -> cluster.unregister(server));
    steps.close("ZooKeeper session", cluster);
    // Last: they wait for data nodes, and the master recovers only what ZooKeeper has seen leave.
    steps.close("file systems of the engine", remote);
    steps.close("file systems", files);
    steps.end();
  }

  /** The reports of orders go first: no master may be there to answer them. */
  private void endOrders() {
    steps.close("master link", master);
    if (procedures != null) {
      steps.flush("orders of the master", procedures::close);
    }
  }

  private void closeRegions() throws IOException, InterruptedException {
    int threads = Math.max(1, conf.getInt("hbase.regionserver.executor.closeregion.threads", 3));
    if (lifecycle != null && !lifecycle.closeAll(threads)) {
      throw new IOException("the lines above name the regions that could not be closed");
    }
  }
}

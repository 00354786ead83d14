package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.RegionState;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionLocation;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetActiveMasterResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetClusterIdResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMastersResponseEntry;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetMetaRegionLocationsResponse;
import org.apache.hadoop.hbase.zookeeper.ClusterStatusTracker;
import org.apache.hadoop.hbase.zookeeper.MasterAddressTracker;
import org.apache.hadoop.hbase.zookeeper.MetaTableLocator;
import org.apache.hadoop.hbase.zookeeper.ZKClusterId;
import org.apache.hadoop.hbase.zookeeper.ZKUtil;
import org.apache.hadoop.hbase.zookeeper.ZKWatcher;
import org.apache.hadoop.hbase.zookeeper.ZNodePaths;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.zookeeper.KeeperException;
import org.grampus.server.master.EmbeddedZooKeeper;
import org.grampus.server.netty.RpcServer;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.service.ClientMetaService;
import org.grampus.server.testkit.RawClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the registry calls of clients answer. Their number is that of all clients, so they ask
 * ZooKeeper nothing: the answers are the same when it is gone.
 */
@SuppressWarnings("deprecation") // GetMasters, which only older clients call
class ZooKeeperClusterViewTest {
  private static final String CLUSTER_ID = "c1a55ed0-0000-4711-8000-fa4ec1a57e55";
  private static final ServerName SELF = ServerName.valueOf("self", 1, 1);
  private static final ServerName FIRST = ServerName.valueOf("first", 1, 1);
  private static final ServerName SECOND = ServerName.valueOf("second", 2, 2);
  private static final long WAIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir private Path directory;
  private final AtomicReference<String> fatal = new AtomicReference<>();
  private EmbeddedZooKeeper zooKeeper;

  /** The master's session. */
  private ZKWatcher master;

  private ClusterLink link;
  private RpcServer server;
  private RawClient client;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new Configuration(false);
    conf.set(HConstants.ZOOKEEPER_DATA_DIR, directory.toString());
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, 0);
    zooKeeper = EmbeddedZooKeeper.start(conf);
    conf.set(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeper.port());
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setInt(HConstants.REGIONSERVER_PORT, 0);
    master = new ZKWatcher(conf, "master", null, true);
    ZKClusterId.setClusterId(master, new ClusterId(CLUSTER_ID));
    new ClusterStatusTracker(master, null).setClusterUp();
    announce(master.getZNodePaths().masterAddressZNode, FIRST);
    link = new ClusterLink(conf, "self", (reason, cause) -> fatal.set(reason));
    ClientMetaService service =
        new ClientMetaService(new ZooKeeperClusterView(link, link.awaitCluster(() -> false), SELF));
    server = new RpcServer(RpcServerConfig.from(conf), new ServiceRegistry().add(service));
    server.start();
    client = new RawClient(server.port(), service.name(), "", null);
  }

  @AfterEach
  void stop() throws Exception {
    client.close();
    server.close();
    link.close();
    master.close();
    zooKeeper.close();
    assertEquals(null, fatal.get());
  }

  private void announce(String node, ServerName server) throws KeeperException {
    assertTrue(MasterAddressTracker.setMasterAddress(master, node, server, 0));
  }

  private <M extends Message> M call(String method, Message param, M prototype) throws IOException {
    RawClient.Reply<M> reply = client.call(method, param, new byte[0], prototype);
    assertFalse(reply.header().hasException(), () -> reply.header().getException().toString());
    return reply.message();
  }

  private String clusterId() throws IOException {
    return call(
            "GetClusterId",
            GetClusterIdRequest.getDefaultInstance(),
            GetClusterIdResponse.getDefaultInstance())
        .getClusterId();
  }

  /** The active master, or null. */
  private ServerName activeMaster() throws IOException {
    GetActiveMasterResponse reply =
        call(
            "GetActiveMaster",
            GetActiveMasterRequest.getDefaultInstance(),
            GetActiveMasterResponse.getDefaultInstance());
    return reply.hasServerName() ? ProtobufUtil.toServerName(reply.getServerName()) : null;
  }

  /** The masters that are active or that wait. */
  private Set<ServerName> masters(boolean active) throws IOException {
    GetMastersResponse reply =
        call(
            "GetMasters",
            GetMastersRequest.getDefaultInstance(),
            GetMastersResponse.getDefaultInstance());
    return reply.getMasterServersList().stream()
        .filter(entry -> entry.getIsActive() == active)
        .map(GetMastersResponseEntry::getServerName)
        .map(ProtobufUtil::toServerName)
        .collect(Collectors.toSet());
  }

  private List<ServerName> metaServers() throws IOException {
    List<RegionLocation> locations =
        call(
                "GetMetaRegionLocations",
                GetMetaRegionLocationsRequest.getDefaultInstance(),
                GetMetaRegionLocationsResponse.getDefaultInstance())
            .getMetaLocationsList();
    for (RegionLocation location : locations) {
      assertEquals(
          TableName.META_TABLE_NAME,
          ProtobufUtil.toTableName(location.getRegionInfo().getTableName()));
    }
    return locations.stream().map(l -> ProtobufUtil.toServerName(l.getServerName())).toList();
  }

  /** Where clients may begin. */
  private Set<ServerName> bootstrapNodes() throws IOException {
    return call(
            "GetBootstrapNodes",
            GetBootstrapNodesRequest.getDefaultInstance(),
            GetBootstrapNodesResponse.getDefaultInstance())
        .getServerNameList()
        .stream()
        .map(ProtobufUtil::toServerName)
        .collect(Collectors.toSet());
  }

  private String regionServer(ServerName server) {
    return ZNodePaths.joinZNode(master.getZNodePaths().rsZNode, server.toString());
  }

  /** Asks again until the answer is this one, which it must become. */
  private static <T> void await(T expected, Callable<T> answer) throws Exception {
    long end = System.nanoTime() + WAIT_NANOS;
    while (!Objects.equals(expected, answer.call()) && System.nanoTime() - end < 0) {
      Thread.sleep(1);
    }
    assertEquals(expected, answer.call());
  }

  @Test
  void answersFollowWhatZooKeeperTells() throws Exception {
    assertEquals(CLUSTER_ID, clusterId());
    assertEquals(FIRST, activeMaster());
    assertEquals(List.of(), metaServers(), "not assigned");
    MetaTableLocator.setMetaLocation(master, FIRST, RegionState.State.OPEN);
    await(List.of(FIRST), this::metaServers);
    MetaTableLocator.setMetaLocation(master, SECOND, RegionState.State.OPENING);
    await(List.of(), this::metaServers);
    MetaTableLocator.setMetaLocation(master, SECOND, RegionState.State.OPEN);
    await(List.of(SECOND), this::metaServers);
    ZNodePaths paths = master.getZNodePaths();
    announce(ZNodePaths.joinZNode(paths.backupMasterAddressesZNode, SECOND.toString()), SECOND);
    await(Set.of(SECOND), () -> masters(false));
    assertEquals(Set.of(FIRST), masters(true));
    ZKUtil.deleteNode(master, paths.masterAddressZNode);
    await(null, this::activeMaster);
    announce(paths.masterAddressZNode, SECOND);
    await(SECOND, this::activeMaster);
    assertEquals(Set.of(SECOND), masters(true));
  }

  @Test
  void regionServersAreThoseThatAreAnnounced() throws Exception {
    assertEquals(Set.of(SELF), bootstrapNodes(), "none is announced");
    ZKUtil.createAndWatch(master, regionServer(FIRST), new byte[0]);
    await(Set.of(FIRST), this::bootstrapNodes);
    ZKUtil.createAndWatch(master, regionServer(SECOND), new byte[0]);
    await(Set.of(FIRST, SECOND), this::bootstrapNodes);
    ZKUtil.deleteNode(master, regionServer(FIRST));
    await(Set.of(SECOND), this::bootstrapNodes);
  }

  @Test
  void answersNeedNoZooKeeper() throws Exception {
    ZKUtil.createAndWatch(master, regionServer(FIRST), new byte[0]);
    await(Set.of(FIRST), this::bootstrapNodes);
    MetaTableLocator.setMetaLocation(master, SECOND, RegionState.State.OPEN);
    ZNodePaths paths = master.getZNodePaths();
    announce(ZNodePaths.joinZNode(paths.backupMasterAddressesZNode, SECOND.toString()), SECOND);
    await(List.of(SECOND), this::metaServers);
    await(Set.of(SECOND), () -> masters(false));
    zooKeeper.close();
    assertEquals(CLUSTER_ID, clusterId());
    assertEquals(FIRST, activeMaster());
    assertEquals(Set.of(FIRST), masters(true));
    assertEquals(Set.of(SECOND), masters(false));
    assertEquals(List.of(SECOND), metaServers());
    assertEquals(Set.of(FIRST), bootstrapNodes());
  }
}

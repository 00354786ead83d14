package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.RpcClient;
import org.apache.hadoop.hbase.ipc.RpcClientFactory;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.BootstrapNodeService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BootstrapNodeProtos.GetAllBootstrapNodesRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.ClientMetaService;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RegistryProtos.GetBootstrapNodesRequest;
import org.apache.hbase.thirdparty.com.google.protobuf.BlockingRpcChannel;
import org.apache.hbase.thirdparty.com.google.protobuf.ServiceException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that know a region server and not ZooKeeper. */
class RpcRegistryTest extends CompatTest {
  private static final int NO_SUCH_PORT = 1;
  private static final int RPC_TIMEOUT_MILLIS = 10_000;
  private static final long LIVE_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private ServerName server;

  private interface Question {
    List<HBaseProtos.ServerName> ask(BlockingRpcChannel channel) throws ServiceException;
  }

  @BeforeEach
  void findServer() throws IOException {
    server = admin.getRegionServers().iterator().next();
  }

  private Configuration registryConfiguration() throws Exception {
    Configuration conf = SharedServer.get().configuration();
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.RpcConnectionRegistry");
    conf.set("hbase.client.bootstrap.servers", server.getHostname() + ":" + server.getPort());
    conf.setInt("hbase.client.bootstrap.initial_refresh_delay_secs", 1);
    conf.setInt("hbase.client.bootstrap.min_secs_between_refreshes", 1);
    conf.setInt("hbase.zookeeper.property.clientPort", NO_SUCH_PORT);
    conf.setInt("hbase.client.retries.number", 3);
    return conf;
  }

  @Test
  void aClientThatKnowsOnlyARegionServerWorks() throws Exception {
    try (Connection other = ConnectionFactory.createConnection(registryConfiguration());
        Admin otherAdmin = other.getAdmin();
        Table otherTable = other.getTable(name)) {
      otherTable.put(new Put(b("r")).addColumn(F, Q, 1, b("v")));
      assertEquals("r/f:q@1=v", show(otherTable.get(new Get(b("r")))));
      otherAdmin.flush(name);
      otherAdmin.disableTable(name);
      otherAdmin.enableTable(name);
      assertEquals("r/f:q@1=v", show(otherTable.get(new Get(b("r")))));
      assertEquals(
          admin.getClusterMetrics().getClusterId(), otherAdmin.getClusterMetrics().getClusterId());
      assertEquals(admin.getMaster(), otherAdmin.getMaster());
    }
  }

  @Test
  void clientsAreToldTheLiveServers() throws Exception {
    assertLive(
        channel ->
            ClientMetaService.newBlockingStub(channel)
                .getBootstrapNodes(null, GetBootstrapNodesRequest.getDefaultInstance())
                .getServerNameList());
  }

  @Test
  void serversAreToldTheLiveServers() throws Exception {
    assertLive(
        channel ->
            BootstrapNodeService.newBlockingStub(channel)
                .getAllBootstrapNodes(null, GetAllBootstrapNodesRequest.getDefaultInstance())
                .getNodeList());
  }

  /** A server may learn of the live ones some time after its start. */
  private void assertLive(Question question) throws Exception {
    Set<ServerName> expected = Set.copyOf(admin.getRegionServers());
    try (RpcClient client =
        RpcClientFactory.createClient(
            SharedServer.get().configuration(), admin.getClusterMetrics().getClusterId())) {
      BlockingRpcChannel channel =
          client.createBlockingRpcChannel(server, User.getCurrent(), RPC_TIMEOUT_MILLIS);
      long deadline = System.nanoTime() + LIVE_LIMIT_NANOS;
      Set<ServerName> answer = ask(question, channel);
      while (!answer.equals(expected) && System.nanoTime() < deadline) {
        Thread.sleep(50);
        answer = ask(question, channel);
      }
      assertEquals(expected, answer);
    }
  }

  private static Set<ServerName> ask(Question question, BlockingRpcChannel channel)
      throws ServiceException {
    return question.ask(channel).stream()
        .map(ProtobufUtil::toServerName)
        .collect(Collectors.toSet());
  }
}

package org.grampus.server.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.grampus.server.rpc.RpcServerConfig;
import org.grampus.server.rpc.ServiceRegistry;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RefusedConnectionsTest {
  private final CapturedLog log = CapturedLog.of(RefusedConnections.class.getName());
  private final InetAddress loopback = InetAddress.getLoopbackAddress();
  private long nanos = Long.MAX_VALUE; // it overflows on the way

  @AfterEach
  void close() {
    log.close();
  }

  private static RpcServerConfig config(int max, int ofOneAddress) {
    Configuration conf = new Configuration(false);
    conf.setInt("hbase.regionserver.port", 0);
    conf.setInt("grampus.rpc.connections.max", max);
    conf.setInt("grampus.rpc.connections.per.address.max", ofOneAddress);
    return RpcServerConfig.from(conf);
  }

  private static String line(int ofAll, int ofOneAddress) {
    return "WARN "
        + RefusedConnections.class.getName()
        + ": connections were refused, the latest from 127.0.0.1: "
        + ofAll
        + " because the server has grampus.rpc.connections.max = 9, "
        + ofOneAddress
        + " because one address has grampus.rpc.connections.per.address.max = 3";
  }

  @Test
  void theFirstIsSaidAtOnceAndThoseOfAMinuteTogether() {
    RefusedConnections refused = new RefusedConnections(config(9, 3), () -> nanos);
    refused.add(loopback, true);
    assertEquals(List.of(line(1, 0)), log.lines());
    nanos += RefusedConnections.PAUSE_NANOS - 1;
    refused.add(loopback, true);
    refused.add(loopback, false);
    assertEquals(1, log.lines().size());
    nanos++;
    refused.add(loopback, false);
    assertEquals(List.of(line(1, 0), line(1, 2)), log.lines());
  }

  @Test
  void aServerSaysThatItHasRefusedAConnection() throws IOException {
    try (RpcServer server = new RpcServer(config(1, 1), new ServiceRegistry())) {
      server.start();
      try (Socket first = new Socket(loopback, server.port())) {
        assertTrue(first.isConnected());
        while (server.connectionCount() == 0) {
          Thread.onSpinWait();
        }
        try (Socket second = new Socket(loopback, server.port())) {
          assertEquals(-1, second.getInputStream().read());
        }
        assertEquals(1, server.connectionCount());
      }
    }
    assertEquals(1, log.lines().size(), () -> log.lines().toString());
  }
}

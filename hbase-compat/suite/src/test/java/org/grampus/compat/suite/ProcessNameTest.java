package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.Test;

/** What metrics call a process that is a region server alone; dashboards select it by this name. */
class ProcessNameTest {
  private static final long PAGE_MAX_MILLIS = 60_000;
  private static final Pattern NAME = Pattern.compile("\"tag.ProcessName\"\\s*:\\s*\"([^\"]*)\"");

  @Test
  void aRegionServerIsCalledRegionServer() throws Exception {
    assumeTrue(
        SharedServer.kind() == ServerKind.GRAMPUS, "HBase's has no page before it has a cluster");
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "process");
    int port = FreePorts.next();
    // it needs no cluster: it waits for one with its page open
    ServerProcess server =
        new ServerProcess(
            SharedServer.kind(),
            directory,
            Ports.free(),
            Map.of(
                "hbase.cluster.distributed",
                "true",
                "hbase.regionserver.info.port",
                String.valueOf(port),
                "hbase.regionserver.hostname",
                "localhost",
                "hbase.regionserver.ipc.address",
                "127.0.0.1"));
    server.withoutMaster();
    try {
      server.start();
      assertEquals("RegionServer", awaitName(server, port));
    } finally {
      server.close();
    }
  }

  private static String awaitName(ServerProcess server, int port) throws Exception {
    URI page =
        URI.create("http://localhost:" + port + "/jmx?qry=Hadoop:service=HBase,name=JvmMetrics");
    HttpClient client = HttpClient.newHttpClient();
    long deadline = System.currentTimeMillis() + PAGE_MAX_MILLIS;
    while (true) {
      assertTrue(server.isAlive(), "the server has ended; see " + server.log());
      assertTrue(System.currentTimeMillis() < deadline, "no name; see " + server.log());
      try {
        String reply =
            client.send(HttpRequest.newBuilder(page).build(), BodyHandlers.ofString()).body();
        Matcher name = NAME.matcher(reply);
        if (name.find()) {
          return name.group(1);
        }
      } catch (IOException e) {
        // the page is not open yet
      }
      Thread.sleep(100);
    }
  }
}

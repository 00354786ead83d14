package org.grampus.server.info;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.lang.reflect.Method;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.http.HttpServer;
import org.apache.hadoop.hbase.http.prometheus.PrometheusHadoopServlet;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.EngineEvent;
import org.grampus.engine.EngineRegion;
import org.grampus.engine.NativeEngine;
import org.grampus.server.memory.MemoryAccount;
import org.grampus.server.metrics.CallMetrics;
import org.grampus.server.metrics.Identity;
import org.grampus.server.metrics.PublishedMetrics;
import org.grampus.server.region.LoadReport;
import org.grampus.server.region.LocalRegion;
import org.grampus.server.region.OnlineRegion;
import org.grampus.server.region.RegionRegistry;
import org.grampus.server.service.ClientServiceConfig;
import org.grampus.server.service.ScannerRegistry;
import org.grampus.server.slowlog.SlowLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InfoPortTest {
  private static final ServerName SERVER = ServerName.valueOf("localhost", 16020, 1);

  private final Configuration conf = HBaseConfiguration.create();
  private final RecentEvents events = new RecentEvents();
  private final AtomicBoolean serves = new AtomicBoolean();
  @TempDir private Path directory;
  private NativeEngine engine;
  private EngineRegion region;
  private OnlineRegion online;
  private ScannerRegistry scanners;
  private CallMetrics calls;
  private PublishedMetrics metrics;
  private StatusSource source;
  private InfoPort info;

  @BeforeEach
  void measure() {
    conf.unset(InfoPort.ADDRESS);
    conf.setInt(InfoPort.PORT, 0);
    conf.setInt(HConstants.REGIONSERVER_METRICS_PERIOD, Integer.MAX_VALUE);
    engine = NativeEngine.open(EngineConfig.DEFAULTS);
    LocalRegion.startLogs(engine, directory);
    RegionRegistry registry = new RegionRegistry(() -> SERVER);
    online = hostileRegion();
    registry.add(online);
    MemoryAccount memory = new MemoryAccount(1, 1, 1);
    scanners = new ScannerRegistry(SERVER, registry, ClientServiceConfig.from(conf), memory);
    calls = CallMetrics.open();
    Identity identity = new Identity(SERVER::toString, () -> "<cluster>", "zk:2181", 17);
    metrics =
        PublishedMetrics.open(
            conf,
            identity,
            new PublishedMetrics.Parts(engine, registry, scanners, memory, calls, true));
    source =
        new StatusSource(
            identity,
            metrics::latest,
            memory,
            new SlowLog(conf),
            events,
            serves::get,
            metrics::isFenced);
    // HBase restarts the metrics after a table of another test has left; they are away meanwhile.
    JmxCacheBuster.clearJmxCache(); // it can stop only what it has begun
    JmxCacheBuster.stop();
  }

  /** Its bounds are what a client might choose. */
  private OnlineRegion hostileRegion() {
    RegionInfo named =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes("<script>alert('a')</script>"))
            .setEndKey(Bytes.toBytes("\"&zz"))
            .build();
    var table =
        TableDescriptorBuilder.newBuilder(named.getTable())
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    region = LocalRegion.open(engine, directory, named, table);
    return new OnlineRegion(named, table, region, 1);
  }

  @AfterEach
  void close() {
    if (info != null) {
      info.close();
    }
    metrics.close();
    calls.close();
    scanners.close();
    region.close(true);
    engine.close();
    JmxCacheBuster.restart();
  }

  private String get(String path, String... headers) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), info.port())) {
      StringBuilder request = new StringBuilder("GET " + path + " HTTP/1.0\r\n");
      for (String header : headers) {
        request.append(header).append("\r\n");
      }
      OutputStream out = socket.getOutputStream();
      out.write(request.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String status(String reply) {
    return reply.split(" ", 3)[1];
  }

  @Test
  void theStatusPageShowsWhatClientsChoseAsText() throws IOException {
    events.add(new EngineEvent(EngineEvent.Level.WARN, "flush", "flush of <b>t</b> & more"));
    info = InfoPort.open(conf, true, source);
    String page = get("/rs-status");
    assertEquals("200", status(page), page);
    assertTrue(page.contains("&lt;script&gt;alert(&#39;a&#39;)&lt;/script&gt;"), page);
    assertTrue(page.contains("&quot;&amp;zz"), page);
    assertTrue(page.contains("cluster &lt;cluster&gt;"), page);
    assertTrue(page.contains("flush of &lt;b&gt;t&lt;/b&gt; &amp; more"), page);
    assertFalse(page.contains("<script>"), page);
    assertTrue(page.contains("Content-Security-Policy: default-src 'self'"), page);
    assertTrue(page.contains("Regions: 1"), page);
    assertTrue(page.contains(SERVER.toString()), page);
  }

  @Test
  void aFenceThatIsClosedIsSeenAtOnce() throws IOException {
    info = InfoPort.open(conf, true, source);
    assertTrue(get("/rs-status").contains("<li class=\"fine\">nothing</li>"));
    metrics.fence(() -> false);
    assertTrue(
        get("/rs-status").contains("<li>no contact with ZooKeeper: writes are refused</li>"));
  }

  /** The status page is there for operators who want to know what a start waits for. */
  @Test
  void aCheckOfHealthFailsWhileClientsAreNotServed() throws IOException {
    info = InfoPort.open(conf, true, source);
    assertEquals("503", status(get("/ready", "Host: localhost")));
    assertEquals("200", status(get("/rs-status")));
    serves.set(true);
    assertEquals("200", status(get("/ready", "Host: localhost")));
    serves.set(false);
    assertEquals("503", status(get("/ready")), "while it stops");
  }

  /** A busy server's counters rise while the page sorts by them. */
  @Test
  void thePageShowsTheRequestsOfTheSnapshot() throws IOException {
    online.counters().read(4711);
    info = InfoPort.open(conf, true, source);
    assertFalse(get("/rs-status").contains("4711"), "counted after the snapshot");
  }

  private static String body(String reply) {
    return reply.substring(reply.indexOf("\r\n\r\n") + 4);
  }

  /** JMX keeps a number for its own period and does not say of when it is: no rate comes of it. */
  @Test
  void chartsDrawNumbersOfOneSnapshotWithItsTime() throws IOException {
    info = InfoPort.open(conf, true, source);
    String numbers = get("/rs-numbers");
    assertTrue(numbers.contains("\"millis\":" + metrics.latest().nanos() / 1_000_000), numbers);
    online.counters().read(4711);
    assertEquals(body(numbers), body(get("/rs-numbers")));
    Matcher drawn =
        Pattern.compile("data-(?:number|per)=\"([a-zA-Z]+)\"").matcher(get("/rs-status"));
    int charts = 0;
    while (drawn.find()) {
      charts++;
      boolean known = drawn.group(1).equals("second") || numbers.contains("\"" + drawn.group(1));
      assertTrue(known, drawn.group(1));
    }
    assertTrue(charts >= 10, "attributes found: " + charts);
  }

  @Test
  void whatThePageLoadsAndHBasesOwnPagesAreThere() throws IOException {
    info = InfoPort.open(conf, true, source);
    assertTrue(get("/static/status.css").contains("prefers-color-scheme: dark"));
    assertTrue(get("/static/status.js").contains("setInterval(tick"));
    assertTrue(get("/").contains("url=rs-status"));
    assertTrue(get("/dump").contains("memstore.limit_bytes "));
    String jmx = get("/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Engine");
    assertTrue(jmx.contains("\"memstore.limit_bytes\":"), jmx);
    assertTrue(get("/prometheus").contains("server_region_count{"));
    assertTrue(get("/conf").contains("hbase.regionserver.info.port"));
    assertTrue(get("/stacks").contains("grampus-metrics"));
    assertEquals("200", status(get("/logLevel")));
  }

  /** Values change from one look to the next, so they are left out. */
  @Test
  void theTextForPrometheusIsHBases() throws Exception {
    info = InfoPort.open(conf, true, source);
    Method writes =
        PrometheusHadoopServlet.class.getDeclaredMethod(
            "writeMetrics", Writer.class, boolean.class, String.class);
    writes.setAccessible(true);
    for (String query : new String[] {null, "region_server_", "no such name"}) {
      for (boolean described : new boolean[] {false, true}) {
        StringWriter expected = new StringWriter();
        writes.invoke(new PrometheusHadoopServlet(), expected, described, query);
        String path = "/prometheus?description=" + described;
        String reply = get(query == null ? path : path + "&qry=" + URLEncoder.encode(query, UTF_8));
        assertTrue(reply.contains("Content-Type: text/plain;charset=utf-8"), reply);
        assertEquals(withoutValues(expected.toString()), withoutValues(body(reply)));
      }
    }
  }

  private static String withoutValues(String metrics) {
    return metrics.replaceAll("(?m)(^[^#].*}) .*$", "$1");
  }

  @Test
  void anOperatorMayDoWithoutPrometheus() throws IOException {
    conf.set(HttpServer.METRIC_SERVLETS_CONF_KEY, "jmx");
    info = InfoPort.open(conf, true, source);
    assertEquals("404", status(get("/prometheus")));
    assertEquals("200", status(get("/jmx?qry=Hadoop:service=HBase,name=RegionServer,sub=Engine")));
  }

  @Test
  void prometheusAloneLeavesJmxOut() throws IOException {
    conf.set(HttpServer.METRIC_SERVLETS_CONF_KEY, "prometheus");
    info = InfoPort.open(conf, true, source);
    assertEquals("200", status(get("/prometheus")));
    assertEquals("404", status(get("/jmx")));
    assertArrayEquals(
        new String[] {"none"},
        PageSettings.withoutPrometheus(conf).getStrings(HttpServer.METRIC_SERVLETS_CONF_KEY),
        "HBase's own is not there");
    assertTrue(get("/conf").contains("<name>hbase.http.metrics.servlets</name><value>prometheus<"));
  }

  /** Dashboards fail silently when a name changes. */
  @Test
  void theNamesOfTheDashboardAreThere() throws IOException {
    info = InfoPort.open(conf, true, source);
    String dashboard = Files.readString(Path.of("..", "conf", "grafana", "grampus.json"));
    Matcher names =
        Pattern.compile("\\b((?:server|region_server|engine|memory)_[a-z0-9_]+)\\{job")
            .matcher(dashboard);
    Set<String> missing = new TreeSet<>();
    int used = 0;
    String metrics = get("/prometheus");
    while (names.find()) {
      used++;
      if (!metrics.contains("\n" + names.group(1) + "{")) {
        missing.add(names.group(1));
      }
    }
    assertTrue(used > 40, "names found in the dashboard: " + used);
    assertEquals(Set.of(), missing);
  }

  @Test
  void itListensOnLoopbackUnlessToldOtherwise() throws IOException {
    info = InfoPort.open(conf, true, source);
    assertEquals("200", status(get("/rs-status")));
    List<InetAddress> others =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress())
            .toList();
    assumeFalse(others.isEmpty(), "this machine has no address but loopback");
    for (InetAddress address : others) {
      InetSocketAddress other = new InetSocketAddress(address, info.port());
      assertThrows(IOException.class, () -> connect(other), address.toString());
    }
  }

  private static void connect(InetSocketAddress address) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(address, 2000);
    }
  }

  @Test
  void pagesOfOtherSitesGetNothing() throws IOException {
    info = InfoPort.open(conf, true, source);
    assertEquals("403", status(get("/jmx", "Host: evil.example")));
    assertEquals("403", status(get("/rs-status", "Host: evil.example:" + info.port())));
    assertEquals("403", status(get("/static/status.js", "Host: 127.0.0.1.evil.example")));
    assertEquals("403", status(get("/jmx", "Host: localhost", "Origin: http://evil.example")));
    assertEquals("403", status(get("/jmx", "Host: localhost", "Origin: null")));
    assertEquals(
        "403", status(get("/jmx?callback=f", "Host: localhost", "Sec-Fetch-Site: cross-site")));
    String[] link = {"Host: localhost", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate"};
    assertEquals("200", status(get("/rs-status", link)));
    assertEquals("403", status(get("/logLevel?log=a&level=DEBUG", link)));
    assertEquals("200", status(get("/jmx", "Host: localhost:1", "Origin: http://127.0.0.1:8080")));
    assertEquals("200", status(get("/rs-status", "Host: [::1]:16030")));
  }

  @Test
  void anAddressOnLoopbackIsProtectedHoweverItIsWritten() {
    for (String address : List.of("localhost", "127.1", "127.0.0.1", "0:0:0:0:0:0:0:1", "[::1]")) {
      assertTrue(isFiltered(address), address);
    }
    for (String address : List.of("0.0.0.0", "192.0.2.1", "::")) {
      assertFalse(isFiltered(address), address);
    }
  }

  private boolean isFiltered(String address) {
    return PageSettings.ofServer(conf, address)
        .get("hbase.http.filter.initializers")
        .contains(HostFilterInitializer.class.getName());
  }

  /** As in standalone mode, where master and server have one configuration. */
  @Test
  void whatProtectsTheMastersPagesDoesNotCloseOursWhichAreOpen() throws IOException {
    conf.set("hbase.master.info.bindAddress", "127.0.0.1");
    conf.set(InfoPort.ADDRESS, "0.0.0.0");
    Configuration master = PageSettings.ofMaster(conf);
    String filters = "hbase.http.filter.initializers";
    assertTrue(master.get(filters).contains(HostFilterInitializer.class.getName()));
    assertEquals("false", master.get("hbase.jetty.logs.serve.aliases"));
    assertTrue(master.get("hbase.http.filter.csp.value").startsWith("default-src 'self'"));
    info = InfoPort.open(conf, true, source);
    assertEquals("200", status(get("/rs-status", "Host: server.example")));
    conf.set("hbase.master.info.bindAddress", "0.0.0.0");
    assertEquals(conf.get(filters), PageSettings.ofMaster(conf).get(filters));
  }

  @Test
  void aPortThatWasChosenAndIsTakenFailsTheStart() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      conf.setInt(InfoPort.PORT, taken.getLocalPort());
      IOException e = assertThrows(IOException.class, () -> InfoPort.open(conf, true, source));
      assertTrue(e.getMessage().startsWith("port " + taken.getLocalPort() + " on 127.0.0.1"));
      assertTrue(e.getMessage().contains(InfoPort.PORT), e.getMessage());
    }
  }

  @Test
  void aPortThatWasNotChosenMayBeTaken() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      conf.setInt(InfoPort.PORT, taken.getLocalPort());
      info = InfoPort.open(conf, false, source);
      assertEquals(LoadReport.NO_INFO_PORT, info.port());
    }
  }

  @Test
  void aPortThatIsTakenIsCountedUpWhereThatIsAllowed() throws IOException {
    conf.setBoolean(InfoPort.AUTO, true);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      conf.setInt(InfoPort.PORT, taken.getLocalPort());
      info = InfoPort.open(conf, true, source);
      assertNotEquals(taken.getLocalPort(), info.port());
      assertEquals("200", status(get("/rs-status")));
    }
  }

  @Test
  void thereIsNoPortAboveTheLast() throws IOException {
    conf.setBoolean(InfoPort.AUTO, true);
    conf.setInt(InfoPort.PORT, 65535);
    try (ServerSocket taken = new ServerSocket()) {
      bindOrSkip(taken, 65535);
      IOException e = assertThrows(IOException.class, () -> InfoPort.open(conf, true, source));
      assertTrue(e.getMessage().startsWith("port 65535 on 127.0.0.1"), e.getMessage());
    }
  }

  private static void bindOrSkip(ServerSocket socket, int port) throws IOException {
    try {
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (BindException e) {
      assumeTrue(false, "something else has port " + port);
    }
  }

  @Test
  void minusOneIsNoPort() throws IOException {
    conf.setInt(InfoPort.PORT, -1);
    info = InfoPort.open(conf, true, source);
    assertEquals(LoadReport.NO_INFO_PORT, info.port());
  }
}

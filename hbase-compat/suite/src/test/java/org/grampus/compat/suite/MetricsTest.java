package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.LogEntry;
import org.apache.hadoop.hbase.client.OnlineLogRecord;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ServerType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The beans of a region server after a workload: names and types as in {@code
 * metrics/attributes.txt}, which is what a stock HBase has, and the numbers of the work that was
 * done.
 */
class MetricsTest {
  private static final Duration SERVE_MAX = Duration.ofMinutes(2);
  private static final long BEANS_MAX_MILLIS = 60_000;
  private static final TableName TABLE = TableName.valueOf("measured");
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] V = Bytes.toBytes("v");

  private static final String REQUESTS =
      "RegionServer,sub=TableRequests_Namespace_default_table_measured";

  /** Replies above this are in the large log. */
  private static final int LARGE_BYTES = 20_000;

  private static ServerProcess server;
  private static Connection connection;
  private static JmxBeans beans;
  private static String region;

  @BeforeAll
  static void startAndWork() throws Exception {
    Path work = Path.of(System.getProperty("grampus.compat.work", "target/servers"));
    Path directory = Files.createTempDirectory(Files.createDirectories(work), "metrics");
    server =
        new ServerProcess(
            SharedServer.kind(),
            directory,
            Ports.free(),
            Map.of(
                "hbase.regionserver.metrics.period",
                "500",
                "hbase.ipc.warn.response.size",
                String.valueOf(LARGE_BYTES),
                "hbase.regionserver.slowlog.buffer.enabled",
                "true",
                "hbase.regionserver.slowlog.systable.enabled",
                "true",
                "hbase.slowlog.systable.chore.duration",
                "500"));
    // what JMX shows is kept for as long as the metrics system's period
    Files.createDirectories(server.confDir());
    Files.writeString(server.confDir().resolve("hadoop-metrics2-hbase.properties"), "*.period=1\n");
    server.start();
    server.awaitServing(SERVE_MAX);
    beans = new JmxBeans(server.pid());
    connection = ConnectionFactory.createConnection(server.clientConfiguration());
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(TABLE)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      region = admin.getRegions(TABLE).get(0).getEncodedName();
      work(table);
      admin.flush(TABLE);
    }
    await(REQUESTS, "GetTime_num_ops", 5);
    await("RegionServer,sub=Server", "FlushTime_num_ops", 1); // tests flush other tables
    await("RegionServer,sub=Regions", regionMetric("getCount"), 5);
    await("RegionServer,sub=Tables", tableMetric("writeRequestCount"), 13);
  }

  @AfterAll
  static void stop() throws Exception {
    if (connection != null) {
      connection.close();
    }
    if (beans != null) {
      beans.close();
    }
    if (server != null) {
      server.close();
    }
  }

  private static Put put(String row) {
    return new Put(Bytes.toBytes(row)).addColumn(F, Q, V);
  }

  private static Get get(String row) {
    return new Get(Bytes.toBytes(row));
  }

  private static Delete delete(String row) {
    return new Delete(Bytes.toBytes(row)).addColumns(F, Q);
  }

  private static void work(Table table) throws Exception {
    table.put(put("a"));
    table.put(put("b"));
    table.put(put("c"));
    table.put(List.of(put("d"), put("e")));
    table.delete(delete("a"));
    table.delete(new ArrayList<>(List.of(delete("b"), delete("c")))); // the client empties it
    table.increment(new Increment(Bytes.toBytes("n")).addColumn(F, Q, 1));
    table.increment(new Increment(Bytes.toBytes("n")).addColumn(F, Q, 1));
    table.append(new Append(Bytes.toBytes("d")).addColumn(F, Q, V));
    table.get(get("a"));
    table.get(get("d"));
    table.get(List.of(get("d"), get("e"), get("nothing")));
    byte[] row = Bytes.toBytes("e");
    table.checkAndMutate(CheckAndMutate.newBuilder(row).ifEquals(F, Q, V).build(put("e")));
    table.checkAndMutate(CheckAndMutate.newBuilder(row).ifEquals(F, Q, V).build(delete("e")));
    table.checkAndMutate(CheckAndMutate.newBuilder(row).ifEquals(F, Q, V).build(put("e")));
    try (ResultScanner scanner = table.getScanner(new Scan())) {
      scanner.forEach(result -> {});
    }
  }

  private static String regionMetric(String name) {
    return "Namespace_default_table_measured_region_" + region + "_metric_" + name;
  }

  private static String tableMetric(String name) {
    return "Namespace_default_table_measured_metric_" + name;
  }

  /** Between two questions to a bean; false when no time is left for another. */
  private static boolean pause(long deadline) throws InterruptedException {
    Thread.sleep(100);
    return System.currentTimeMillis() < deadline;
  }

  /** Beans follow at the pace of the metrics system. */
  private static void await(String bean, String name, long value) throws Exception {
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    Object last;
    do {
      last = beans.values(bean).get(name);
      if (last instanceof Number number && number.longValue() == value) {
        return;
      }
    } while (pause(deadline));
    assertEquals(value, last, bean + " " + name);
  }

  /** HBase takes all beans away and brings them back when regions come or go. */
  private static long number(String bean, String name) throws Exception {
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    while (true) {
      if (beans.values(bean).get(name) instanceof Number number) {
        return number.longValue();
      }
      assertTrue(pause(deadline), bean + " has no number " + name);
    }
  }

  @Test
  void theBeansAreThoseOfHBase() throws Exception {
    Set<String> expected = ExpectedBeans.of(SharedServer.kind());
    Set<String> found;
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    do { // HBase takes all beans away and brings them back when regions come or go
      found = ExpectedBeans.beans(beans);
    } while (!found.containsAll(expected) && pause(deadline));
    Files.write(Path.of("target", "beans-" + SharedServer.kind() + ".txt"), found);
    assertEquals(expected, found);
  }

  @Test
  void aStandaloneProcessIsCalledMaster() throws Exception {
    assertEquals("Master", beans.values("JvmMetrics").get("tag.ProcessName"));
  }

  @Test
  void namesAndTypesAreThoseOfHBase() throws Exception {
    Set<String> golden = ExpectedBeans.attributes();
    Set<String> lines;
    Set<String> missing;
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    do { // HBase takes all beans away and brings them back when regions come or go
      lines = ExpectedBeans.lines(beans, region, BEANS_MAX_MILLIS);
      missing = new TreeSet<>(golden);
      missing.removeAll(lines);
    } while (!missing.isEmpty() && pause(deadline));
    Files.write(Path.of("target", "attributes-" + SharedServer.kind() + ".txt"), lines);
    assertEquals(Set.of(), missing, "names that HBase has");
    lines.removeAll(golden);
    if (SharedServer.kind() == ServerKind.GRAMPUS) {
      lines.removeIf(ExpectedBeans::isOfMore);
    }
    assertEquals(Set.of(), lines, "names that HBase has not");
  }

  @Test
  void latenciesOfATableAreThoseOfItsOperations() throws Exception {
    await(REQUESTS, "GetTime_num_ops", 5);
    await(REQUESTS, "PutTime_num_ops", 3);
    await(REQUESTS, "PutBatchTime_num_ops", 1);
    await(REQUESTS, "DeleteTime_num_ops", 1);
    await(REQUESTS, "DeleteBatchTime_num_ops", 1);
    await(REQUESTS, "IncrementTime_num_ops", 2);
    await(REQUESTS, "AppendTime_num_ops", 1);
    await(REQUESTS, "CheckAndMutateTime_num_ops", 3);
    await(REQUESTS, "CheckAndPutTime_num_ops", 2);
    await(REQUESTS, "CheckAndDeleteTime_num_ops", 1);
    await(REQUESTS, "ScanTime_num_ops", 1);
    await(REQUESTS, "ScanSize_num_ops", 1);
  }

  @Test
  void aRegionCountsItsOperationsByKind() throws Exception {
    String bean = "RegionServer,sub=Regions";
    await(bean, regionMetric("getCount"), 5);
    await(bean, regionMetric("scanCount"), 1);
    await(bean, regionMetric("putCount"), 5);
    await(bean, regionMetric("deleteCount"), 3);
    await(bean, regionMetric("incrementCount"), 2);
    await(bean, regionMetric("appendCount"), 1);
    await(bean, regionMetric("writeRequestCount"), 13);
    await(bean, regionMetric("readRequestCount"), 13);
  }

  @Test
  void theServerCountsRequestsByMethod() throws Exception {
    String bean = "RegionServer,sub=Server";
    await(bean, "rpcFullScanRequestCount", 1);
    await(bean, "checkMutatePassedCount", 2);
    await(bean, "checkMutateFailedCount", 1);
    assertEquals(
        number(bean, "readRequestCount") + number(bean, "writeRequestCount"),
        number(bean, "totalRowActionRequestCount"));
    assertTrue(number(bean, "rpcMutateRequestCount") >= 10);
    assertTrue(number(bean, "rpcMultiRequestCount") >= 3);
    assertTrue(number(bean, "rpcGetRequestCount") >= 2);
    assertTrue(number(bean, "totalRequestCount") > number(bean, "rpcMutateRequestCount"));
    assertTrue(number(bean, "regionCount") >= 3);
    assertTrue(number(bean, "flushedMemstoreBytes") > 0);
  }

  private static long awaitMore(String bean, String name, long than) throws Exception {
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    long last;
    do { // HBase takes beans away and brings them back
      last = beans.values(bean).get(name) instanceof Number number ? number.longValue() : -1;
    } while (last <= than && pause(deadline));
    assertTrue(last > than, bean + " " + name + " is " + last);
    return last;
  }

  private static Table create(Admin admin, TableName name) throws Exception {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .build());
    return connection.getTable(name);
  }

  @Test
  void theLogCountsItsEditsAndTheirTimesAndSizes() throws Exception {
    String bean = "RegionServer,sub=WAL";
    try (Admin admin = connection.getAdmin();
        Table table = create(admin, TableName.valueOf("logged"))) {
      for (int i = 0; i < 10; i++) {
        table.put(new Put(Bytes.toBytes("row" + i)).addColumn(F, Q, new byte[1000]));
      }
    }
    // the region's open is an edit of the log in HBase
    long edits = awaitMore(bean, "logged.appendCount", 9);
    assertTrue(edits <= 12, "edits of the table: " + edits);
    long bytes = number(bean, "logged.appendSize");
    assertTrue(bytes > 10_000 && bytes < 13_000, "bytes of the table: " + bytes);
    for (String histogram : List.of("AppendSize", "AppendTime")) {
      awaitMore(bean, histogram + "_num_ops", 9);
    }
    awaitMore(bean, "SyncTime_num_ops", 9);
    assertEquals(0, number(bean, "slowAppendCount"));
    assertEquals(0, number(bean, "lowReplicaRollRequest"));
  }

  @Test
  void aTableCountsItsFlushesCompactionsAndBlooms() throws Exception {
    TableName name = TableName.valueOf("worked");
    String tables = "RegionServer,sub=Tables";
    String prefix = "Namespace_default_table_worked_metric_";
    try (Admin admin = connection.getAdmin();
        Table table = create(admin, name)) {
      for (String row : List.of("a", "c")) {
        table.put(put(row));
        table.put(put(row + "z"));
        admin.flush(name);
      }
      await(tables, prefix + "flushTime_num_ops", 2);
      await(tables, prefix + "flushMemstoreSize_num_ops", 2);
      await(tables, prefix + "flushOutputSize_num_ops", 2);
      awaitMore(tables, prefix + "flushedOutputBytes", 0);
      bloomsAnswer(table, prefix);
      admin.majorCompact(name);
      await(tables, prefix + "majorCompactionTime_num_ops", 1);
      await(tables, prefix + "compactionTime_num_ops", 1);
      await(tables, prefix + "compactionInputFileCount_num_ops", 1);
      await(tables, prefix + "compactionOutputFileCount_num_ops", 1);
      awaitMore(tables, prefix + "majorCompactedOutputBytes", 0);
      String ofRegion =
          "Namespace_default_table_worked_region_"
              + admin.getRegions(name).get(0).getEncodedName()
              + "_metric_";
      String regions = "RegionServer,sub=Regions";
      await(regions, ofRegion + "compactionsCompletedCount", 1);
      await(regions, ofRegion + "numFilesCompactedCount", 2);
      awaitMore(regions, ofRegion + "numBytesCompactedCount", 0);
      await(regions, ofRegion + "compactionsFailedCount", 0);
    }
  }

  /** Rows between those that are there: each question is counted, and most are denied. */
  private static void bloomsAnswer(Table table, String prefix) throws Exception {
    String tables = "RegionServer,sub=Tables";
    long deadline = System.currentTimeMillis() + BEANS_MAX_MILLIS;
    String denials = prefix + "bloomFilterNegativeResultsCount";
    while (!(beans.values(tables).get(denials) instanceof Long found && found > 0)) {
      assertTrue(System.currentTimeMillis() < deadline, "no filter denied a row");
      for (String row : List.of("aa", "ab", "ac", "ca", "cb")) {
        assertTrue(table.get(get(row)).isEmpty());
      }
    }
    awaitMore(tables, prefix + "bloomFilterRequestsCount", 0);
  }

  @Test
  void readsAndWritesOfFilesAreTimed() throws Exception {
    String bean = "RegionServer,sub=IO";
    TableName name = TableName.valueOf("filed");
    try (Admin admin = connection.getAdmin();
        Table table = create(admin, name)) {
      table.put(put("a"));
      long writes = number(bean, "FsWriteTime_num_ops");
      admin.flush(name);
      awaitMore(bean, "FsWriteTime_num_ops", writes);
      assertEquals(1, table.get(get("a")).size());
    }
    awaitMore(bean, "FsPReadTime_num_ops", 0);
    assertEquals(0, number(bean, "fsSlowReadsCount"));
    assertEquals(0, number(bean, "fsChecksumFailureCount"));
  }

  @Test
  void getsFromFilesCountWhatTheyLookAt() throws Exception {
    TableName name = TableName.valueOf("looked");
    try (Admin admin = connection.getAdmin();
        Table table = create(admin, name)) {
      table.put(new Put(Bytes.toBytes("a")).addColumn(F, Q, new byte[5000]));
      admin.flush(name);
      assertEquals(1, table.get(get("a")).size());
    }
    String bean = "RegionServer,sub=TableRequests_Namespace_default_table_looked";
    await(bean, "GetBlockBytesScanned_num_ops", 1);
  }

  @Test
  void theLogCountsItsEdits() throws Exception {
    String bean = "RegionServer,sub=WAL";
    assertTrue(number(bean, "appendCount") >= 11, "at least those of the workload");
    assertTrue(number(bean, "writtenBytes") > 11L * V.length);
    assertEquals(0, number(bean, "errorRollRequest"));
  }

  @Test
  void aLargeReplyIsInTheLogUntilItIsCleared() throws Exception {
    TableName large = TableName.valueOf("large");
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(large)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(large)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
              .build());
      table.put(new Put(Bytes.toBytes("wide")).addColumn(F, Q, new byte[2 * LARGE_BYTES]));
      table.get(get("small"));
      table.get(get("wide"));
      Set<ServerName> servers = Set.copyOf(admin.getRegionServers());
      Map<String, Object> ofTable = Map.of("tableName", "large");
      List<LogEntry> entries =
          admin.getLogEntries(servers, "LARGE_LOG", ServerType.REGION_SERVER, 10, ofTable);
      assertEquals(1, entries.size(), entries.toString());
      OnlineLogRecord call = (OnlineLogRecord) entries.get(0);
      assertEquals("Get", call.getMethodName());
      assertTrue(call.getResponseSize() > 2 * LARGE_BYTES, call.toString());
      assertTrue(call.getRegionName().startsWith("large,"), call.toString());
      assertTrue(call.getParam().contains("wide"), call.toString());
      assertTrue(call.getCallDetails().startsWith("Get(org.apache."), call.toString());
      assertEquals(
          List.of(),
          admin.getLogEntries(
              servers, "LARGE_LOG", ServerType.REGION_SERVER, 10, Map.of("tableName", "another")));
      assertEquals(
          List.of(),
          admin.getLogEntries(servers, "SLOW_LOG", ServerType.REGION_SERVER, 10, ofTable));
      assertEquals(List.of(true), admin.clearSlowLogResponses(servers));
      assertEquals(
          List.of(),
          admin.getLogEntries(servers, "LARGE_LOG", ServerType.REGION_SERVER, 10, ofTable));
    }
    assertEquals("Get", SlowLogRows.awaitMethod(connection, "large,", BEANS_MAX_MILLIS));
  }
}

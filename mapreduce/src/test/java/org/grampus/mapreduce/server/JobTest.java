package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.NullOutputFormat;
import org.grampus.compat.suite.target.ServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A table of its own per test, and jobs over it with Hadoop's local runner. */
abstract class JobTest {
  static final byte[] F = b("f");
  static final byte[] G = b("g");
  private static final int TTL_SECONDS = 3600;

  /** How often a job is asked whether it is done; without it, after five seconds. */
  private static final int POLL_MILLIS = 50;

  private static int tables;

  @TempDir Path directory;
  ServerProcess server;
  Connection connection;
  Admin admin;
  TableName name;
  Table table;
  private Configuration clients;
  private int runs;

  static byte[] b(String text) {
    return Bytes.toBytes(text);
  }

  /** So that no test's time is that of the server's start. */
  @BeforeAll
  static void start() throws Exception {
    JobServer.get().process();
  }

  @BeforeEach
  void open(TestInfo test) throws Exception {
    server = JobServer.get().process();
    clients = JobServer.get().configuration();
    connection = JobServer.get().connection();
    admin = connection.getAdmin();
    name = TableName.valueOf(test.getTestMethod().orElseThrow().getName() + tables++);
    table = connection.getTable(name);
  }

  @AfterEach
  void drop() throws IOException {
    table.close();
    drop(name);
    admin.close();
  }

  void drop(TableName doomed) throws IOException {
    if (admin.tableExists(doomed)) {
      admin.disableTable(doomed);
      admin.deleteTable(doomed);
    }
  }

  /** Family f keeps five versions, family g an hour. */
  void create(byte[]... splitKeys) throws IOException {
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(F).setMaxVersions(5).build())
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(G).setTimeToLive(TTL_SECONDS).build())
            .build(),
        splitKeys.length == 0 ? null : splitKeys);
  }

  /** Compactions take away what raw scans read. */
  void compactions(TableName of, boolean areOn) throws IOException {
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(of))
            .setCompactionEnabled(areOn)
            .build());
  }

  static String row(int number) {
    return String.format("row%05d", number);
  }

  /** Rows with versions, deletes, and cells whose time is over, in several files. */
  void fill(int rows) throws IOException {
    long now = System.currentTimeMillis();
    for (int round = 1; round <= 3; round++) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        Put put = new Put(b(row(i)));
        for (int column = 0; column < 4; column++) {
          put.addColumn(F, b("q" + column), round, b("value" + i + "-" + round));
        }
        put.addColumn(G, b("new"), now + round, b("g" + i));
        put.addColumn(G, b("old" + round), now - 2 * TTL_SECONDS * 1000L, b("over"));
        puts.add(put);
      }
      table.put(puts);
      delete(rows, round);
      admin.flush(name);
    }
  }

  private void delete(int rows, int round) throws IOException {
    List<Delete> deletes = new ArrayList<>();
    for (int i = round; i < rows; i += 17) {
      deletes.add(new Delete(b(row(i)), round));
    }
    for (int i = round; i < rows; i += 13) {
      deletes.add(new Delete(b(row(i))).addColumns(F, b("q1"), round));
      deletes.add(new Delete(b(row(i + 1))).addColumn(F, b("q2"), round));
    }
    table.delete(deletes);
  }

  void splitAt(String row) throws Exception {
    splitAt(name, row);
  }

  void splitAt(TableName of, String row) throws Exception {
    int before = admin.getRegions(of).size();
    try (RegionLocator locator = connection.getRegionLocator(of)) {
      byte[] region = locator.getRegionLocation(b(row), true).getRegion().getRegionName();
      admin.splitRegionAsync(region, b(row)).get(60, TimeUnit.SECONDS);
    }
    assertTrue(admin.getRegions(of).size() > before);
  }

  /** Splits a region as {@link #splitAt} does, within a task or a call of a client. */
  void splitOnTheWay(String row) throws IOException {
    try {
      splitAt(row);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException("the region is not split at " + row, e);
    }
  }

  /** What a scan through the server returns, sorted as {@link #run} sorts. */
  List<String> scanned(TableName of, Scan scan) throws IOException {
    List<String> rows = inOrder(of, scan);
    rows.sort(null);
    return rows;
  }

  /** What a scan through the server returns. */
  List<String> inOrder(TableName of, Scan scan) throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table read = connection.getTable(of);
        ResultScanner scanner = read.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(Collected.show(result));
      }
    }
    return rows;
  }

  Configuration configuration() {
    Configuration conf = new Configuration(clients);
    conf.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    conf.set("mapreduce.jobtracker.staging.root.dir", directory.resolve("staging").toString());
    conf.setInt("mapreduce.client.completion.pollinterval", POLL_MILLIS);
    conf.set(Collected.RUN_KEY, name + "-" + runs++);
    return conf;
  }

  /** A job whose mappers collect what the format gives them. */
  Job job(Configuration conf, Class<? extends InputFormat<?, ?>> format, Scan scan)
      throws IOException {
    Job job = Job.getInstance(conf);
    job.setInputFormatClass(format);
    job.setMapperClass(Collected.NewMapper.class);
    job.setOutputFormatClass(NullOutputFormat.class);
    job.setNumReduceTasks(0);
    job.getConfiguration().set(TableInputFormat.INPUT_TABLE, name.getNameAsString());
    if (scan != null) {
      job.getConfiguration()
          .set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
    }
    return job;
  }

  /** A command in a process of its own, as a user starts it; the caller ends it. */
  static Process startCommand(Class<?> command, List<String> arguments, Path log)
      throws IOException {
    List<String> line = new ArrayList<>(ClientJvm.COMMAND);
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), command.getName()));
    line.addAll(arguments);
    return new ProcessBuilder(line).redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  /** Runs a job; what its mappers saw, sorted. */
  static List<String> run(Job job) throws Exception {
    assertTrue(job.waitForCompletion(false), job.getStatus().getFailureInfo());
    return collected(job.getConfiguration());
  }

  static List<String> collected(Configuration conf) {
    List<String> seen = new ArrayList<>(Collected.of(conf.get(Collected.RUN_KEY)));
    seen.sort(null);
    return seen;
  }

  /** What the one task of a job over all regions sees, in this order. */
  void oneTaskReadsInOrder(Job job, Scan scan) throws Exception {
    job.getConfiguration().setInt("grampus.mapreduce.splits", 1);
    assertTrue(job.waitForCompletion(false), job.getStatus().getFailureInfo());
    List<String> seen =
        new ArrayList<>(Collected.of(job.getConfiguration().get(Collected.RUN_KEY)));
    assertEquals(inOrder(name, scan), seen, scan.toString());
  }
}

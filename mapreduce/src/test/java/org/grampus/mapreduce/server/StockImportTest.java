package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.grampus.compat.suite.target.Ports;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.compat.suite.target.ServerProcess;
import org.grampus.mapreduce.imports.ImportCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Imports into a stock HBase. */
class StockImportTest {
  private static final Duration START_MAX = Duration.ofMinutes(2);
  private static final TableName NAME = TableName.valueOf("t");

  @TempDir private Path directory;

  @Test
  void rowsArePutAndColumnFilesAreRefused() throws Exception {
    Path file = Files.writeString(directory.resolve("a.csv"), "k,v\nr,1\n");
    ServerProcess process = start();
    try {
      importInto(process.clientConfiguration(), file);
    } finally {
      process.close();
    }
  }

  private void importInto(Configuration conf, Path file) throws Exception {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of(file.toString(), "--table=t", "--key=k", "--quiet"));
    arguments.add("--bad=" + directory.resolve("bad"));
    for (String key : List.of("hbase.zookeeper.quorum", "hbase.zookeeper.property.clientPort")) {
      arguments.addAll(List.of("-D", key + "=" + conf.get(key)));
    }
    List<String> bulk = new ArrayList<>(arguments);
    bulk.addAll(List.of("--bulk", "--staging=" + directory.resolve("bulk")));
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        Table table = connection.getTable(NAME)) {
      Refusal refusal = Refusal.of(() -> importing(bulk));
      assertEquals(1, refusal.code());
      assertTrue(refusal.sentence().contains("stock HBase"), refusal.sentence());
      assertFalse(admin.tableExists(NAME));
      assertFalse(Files.exists(directory.resolve("bulk")));
      assertEquals(0, importing(arguments));
      assertTrue(table.exists(new Get(JobTest.b("r"))));
    }
  }

  private static int importing(List<String> arguments) {
    return new CommandLine(new ImportCommand()).execute(arguments.toArray(new String[0]));
  }

  private ServerProcess start() throws Exception {
    Path work = Path.of(System.getProperty("grampus.mapreduce.work", "target/servers"));
    Path own = Files.createTempDirectory(Files.createDirectories(work), "hbase");
    ServerProcess process = new ServerProcess(ServerKind.HBASE, own, Ports.free(), Map.of());
    process.start();
    process.awaitServing(START_MAX);
    return process;
  }
}

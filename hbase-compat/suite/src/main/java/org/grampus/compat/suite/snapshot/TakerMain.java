package org.grampus.compat.suite.snapshot;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Takes the snapshots whose names come in on standard input, with whatever hbase-client is on the
 * class path. Arguments: ZooKeeper's quorum and port, the table.
 */
public final class TakerMain {
  static final String DONE = "snapshot taken";
  static final String FAILED = "snapshot failed: ";

  private TakerMain() {}

  /** Runs until standard input ends. */
  public static void main(String[] args) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.set("hbase.zookeeper.quorum", args[0]);
    conf.set("hbase.zookeeper.property.clientPort", args[1]);
    TableName table = TableName.valueOf(args[2]);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin();
        BufferedReader orders =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String name = orders.readLine(); name != null; name = orders.readLine()) {
        System.out.println(take(admin, name, table));
      }
    }
  }

  private static String take(Admin admin, String name, TableName table) {
    try {
      admin.snapshot(name, table);
      return DONE;
    } catch (IOException e) {
      return FAILED + e.toString().replace('\n', ' ');
    }
  }
}

package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.suite.target.ImpatientClient;

/**
 * Reads and writes a row in each region of a table of its own, again and again: for how long the
 * cluster is unavailable. For one thread.
 */
public final class Probe implements AutoCloseable {
  private static final TableName TABLE = TableName.valueOf("probe");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  /** Enough for each server to have some, once they are balanced. */
  private static final int REGIONS = 6;

  private final Connection connection;
  private final List<RegionProbe> probes = new ArrayList<>();

  /** Makes its table and begins. */
  public Probe(Configuration configuration) throws IOException {
    createTable(configuration);
    connection = ConnectionFactory.createConnection(impatient(configuration));
    try {
      for (int region = 0; region < REGIONS; region++) {
        RegionProbe probe = new RegionProbe(connection.getTable(TABLE), FAMILY, row(region));
        probes.add(probe);
        probe.start();
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** A client that looks often, so that it does not sleep when a region is back. */
  private static Configuration impatient(Configuration configuration) {
    Configuration conf = ImpatientClient.of(configuration);
    conf.setLong("hbase.client.pause", 10);
    conf.setInt("hbase.client.retries.number", 3);
    return conf;
  }

  private static void createTable(Configuration configuration) throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int region = 1; region < REGIONS; region++) {
      splits[region - 1] = row(region);
    }
    try (Connection patient = ConnectionFactory.createConnection(configuration);
        Admin admin = patient.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          splits);
    }
  }

  private static byte[] row(int region) {
    return Bytes.toBytes(String.valueOf(region));
  }

  /** Forgets the times so far. */
  public void forget() {
    probes.forEach(RegionProbe::forget);
  }

  /** The longest time since {@link #forget} between two answers of one region, in milliseconds. */
  public long unavailableMillis() {
    return probes.stream().mapToLong(RegionProbe::longestMillis).max().orElse(0);
  }

  /** Reads, in all, that have not found the last acknowledged write or a later one. */
  public long lost() {
    return probes.stream().mapToLong(RegionProbe::lost).sum();
  }

  /** Whether each region has answered a request that began after a time of nanoTime. */
  public boolean answeredSince(long time) {
    return probes.stream().allMatch(probe -> probe.answeredSince(time));
  }

  /** Why a region that does not answer since a time does not. */
  public String failureSince(long time) {
    return probes.stream()
        .filter(probe -> !probe.answeredSince(time))
        .map(RegionProbe::failure)
        .findFirst()
        .orElse("");
  }

  @Override
  public void close() throws IOException {
    connection.close();
    probes.forEach(RegionProbe::end);
  }
}

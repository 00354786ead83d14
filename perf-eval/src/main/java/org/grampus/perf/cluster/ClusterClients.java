package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.grampus.compat.suite.FullScans;
import org.grampus.compat.suite.Violations;
import org.grampus.compat.suite.kill.Writers;

/**
 * The clients of a cluster that is in trouble, but for those that load it: an operator's
 * connection, which outlives what happens, and a probe. What HBase's client prints is in a file
 * meanwhile. For one thread.
 */
public final class ClusterClients implements AutoCloseable {
  private final ClientNoise noise;
  private final Connection connection;
  private final Probe probe;
  private final Violations violations;

  /**
   * Connects; the probe begins.
   *
   * @param violations takes what a comparison finds
   */
  public ClusterClients(Cluster cluster, Violations violations) throws IOException {
    this.violations = violations;
    noise = new ClientNoise(cluster.directory().resolve("clients.log"));
    try {
      connection = ConnectionFactory.createConnection(Writers.patient(cluster.configuration()));
      probe = probe(cluster);
    } catch (IOException | RuntimeException e) {
      noise.close();
      throw e;
    }
  }

  private Probe probe(Cluster cluster) throws IOException {
    try {
      return new Probe(cluster.configuration());
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** Where HBase's client prints to. */
  public ClientNoise noise() {
    return noise;
  }

  /** The operator's. */
  public Connection connection() {
    return connection;
  }

  /** Says for how long a region is unavailable. */
  public Probe probe() {
    return probe;
  }

  /**
   * Compares what writers know, once they have stopped, with their table, and scans tables as a
   * whole; what differs is a violation.
   *
   * @param others tables to scan beside that of the writers
   * @return how many rows, in words
   */
  public String compare(Writers writers, TableName... others) throws IOException {
    int compared = writers.verify();
    int scanned = FullScans.count(connection, Writers.table(), violations);
    for (TableName other : others) {
      scanned += FullScans.count(connection, other, violations);
    }
    if (probe.lost() > 0) {
      violations.add(probe.lost() + " reads of the probe did not find the write before them");
    }
    return String.format(Locale.ROOT, "%d rows compared, %d rows scanned", compared, scanned);
  }

  @Override
  public void close() throws IOException {
    try (noise;
        connection) {
      probe.close();
    }
  }
}

package org.grampus.perf.pe.server;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/**
 * An asynchronous connection whose {@link Witness} learns when it is opened and closed. HBase's
 * factory makes it.
 */
public final class WitnessedAsyncConnection extends AsyncConnectionImpl {
  private final Witness witness;

  /** For HBase's factory. */
  public WitnessedAsyncConnection(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    super(conf, registry, clusterId, user, attributes);
    witness = Witness.of(conf);
    witness.opened(this);
  }

  @Override
  public void close() {
    witness.closed(this);
    super.close();
  }
}

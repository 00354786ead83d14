package org.grampus.compat.suite.target;

import org.apache.hadoop.conf.Configuration;

/** A client that asks whether a server serves yet, and does not wait until it does. */
public final class ImpatientClient {
  private ImpatientClient() {}

  /** Its configuration, made from that of a patient one. */
  public static Configuration of(Configuration patient) {
    Configuration conf = new Configuration(patient);
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.setInt("hbase.client.operation.timeout", 2000);
    conf.setInt("hbase.client.meta.operation.timeout", 2000);
    conf.setInt("hbase.rpc.timeout", 1000);
    return conf;
  }
}

package org.grampus.perf.cluster;

/** What a process is in a cluster, in the order in which they start. */
public enum Role {
  /** HDFS's name node. */
  NAME_NODE,
  /** A data node of HDFS. */
  DATA_NODE,
  /** ZooKeeper. */
  ZOOKEEPER,
  /** A stock HMaster, active or standing by. */
  MASTER,
  /** {@code bin/grampus regionserver}. */
  REGION_SERVER
}

package org.grampus.perf.hadoop;

import java.util.Collections;
import java.util.List;
import org.grampus.compat.suite.target.FreePorts;

/**
 * Addresses of this machine that the daemons of HDFS listen on.
 *
 * @param nameNode of the name node
 * @param dataNodes of each data node
 */
public record HdfsHosts(String nameNode, List<String> dataNodes) {
  /** Copies the list. */
  public HdfsHosts {
    dataNodes = List.copyOf(dataNodes);
  }

  /** All on loopback. */
  public static HdfsHosts loopback(int dataNodes) {
    return new HdfsHosts(FreePorts.HOST, Collections.nCopies(dataNodes, FreePorts.HOST));
  }

  boolean areLoopback() {
    return dataNodes.stream().allMatch(FreePorts.HOST::equals);
  }
}

package org.grampus.perf.cluster;

import java.util.List;
import java.util.stream.IntStream;
import org.grampus.compat.suite.target.FreePorts;
import org.grampus.perf.hadoop.HdfsHosts;

/** Where the processes of a cluster are: addresses of this machine, and what starts them there. */
public interface Network {
  /** All on 127.0.0.1. */
  Network LOOPBACK =
      new Network() {
        @Override
        public String host(Role role, int number) {
          return FreePorts.HOST;
        }

        @Override
        public List<String> prefix(Role role, int number) {
          return List.of();
        }
      };

  /**
   * The address of a process.
   *
   * @param number among those of its role, from 1; masters share one
   */
  String host(Role role, int number);

  /** What comes before the command of a process, for it to run there. */
  List<String> prefix(Role role, int number);

  /** The addresses of HDFS. */
  default HdfsHosts hdfs(int dataNodes) {
    return new HdfsHosts(
        host(Role.NAME_NODE, 1),
        IntStream.rangeClosed(1, dataNodes)
            .mapToObj(number -> host(Role.DATA_NODE, number))
            .toList());
  }
}

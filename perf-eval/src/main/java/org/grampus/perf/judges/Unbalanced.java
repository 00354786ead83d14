package org.grampus.perf.judges;

import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;

/** What is done while the balancer is off. */
@FunctionalInterface
interface Unbalanced<T> {
  /** Does it. */
  T run() throws ToolException, IOException, InterruptedException;

  /** Switches the balancer off once it has ended what it is at, and back however this ends. */
  static <R> R run(Admin admin, Unbalanced<R> work)
      throws ToolException, IOException, InterruptedException {
    boolean before = admin.balancerSwitch(false, true);
    try {
      return work.run();
    } finally {
      admin.balancerSwitch(before, false);
    }
  }
}

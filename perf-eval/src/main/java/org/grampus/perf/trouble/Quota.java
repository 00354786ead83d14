package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.grampus.perf.ToolException;

/** HBase's directory may not grow for a while: the name node gives it no block. */
record Quota(Bench bench, Duration time) implements Trouble {
  /** Less than there is, whatever open blocks give back when they are complete. */
  private static final long BYTES = 1;

  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    Path root = bench.root();
    bench.hdfs().setQuota(root, HdfsConstants.QUOTA_DONT_SET, BYTES);
    try {
      bench.requireNoWrites();
      bench.orderFlush();
      bench.last("the quota of " + root + " is used up", time);
    } finally {
      bench.hdfs().setQuota(root, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
    }
  }
}

package org.grampus.perf.trouble;

import java.io.IOException;
import java.time.Duration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.grampus.perf.ToolException;

/**
 * The name node refuses all changes for a while, as after its start or when an operator says so:
 * open blocks take writes, no block and no file is made.
 */
record SafeMode(Bench bench, Duration time) implements Trouble {
  @Override
  public void cause() throws ToolException, IOException, InterruptedException {
    bench.hdfs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
    try {
      bench.requireNoWrites();
      bench.orderFlush();
      bench.last("HDFS is in safe mode", time);
    } finally {
      bench.hdfs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
    }
  }
}

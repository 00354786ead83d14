package org.grampus.server.master;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.regionserver.RSRpcServices;

/** HBase's master with {@link StandaloneAssignments} and {@link StandaloneRpcServices}. */
public final class StandaloneMaster extends HMaster {
  /** Constructed by {@link HMaster#constructMaster}. */
  public StandaloneMaster(Configuration conf) throws IOException {
    super(conf);
  }

  @Override
  protected AssignmentManager createAssignmentManager(
      MasterServices master, MasterRegion masterRegion) {
    return new StandaloneAssignments(master, masterRegion);
  }

  @Override
  protected RSRpcServices createRpcServices() throws IOException {
    return new StandaloneRpcServices(this);
  }
}

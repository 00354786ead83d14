package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** {@code CopyTable}, from server to server. */
final class CopiedCells implements CopyMethod {
  /** Markers as well, and every version. */
  static final List<String> ALL = List.of("--all.cells", "--versions=" + HBaseTools.ALL_VERSIONS);

  @Override
  public void copy(Side source, Side target, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    source.run(target, "CopyTable", arguments(table, target.clusterKey(), pass));
  }

  /** The arguments of {@code CopyTable}. */
  static List<String> arguments(TableName table, String peer, Pass pass) {
    List<String> arguments = new ArrayList<>(ALL);
    arguments.add("--starttime=" + pass.startMillis());
    if (!pass.isLast()) {
      arguments.add("--endtime=" + pass.endMillis());
    }
    arguments.add("--peer.adr=" + peer);
    arguments.add(table.getNameAsString());
    return arguments;
  }
}

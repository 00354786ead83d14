package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** {@code CopyTable}, from server to server. */
final class CopiedCells implements Way {
  /** Markers as well, and every version. */
  static final List<String> ALL = List.of("--all.cells", "--versions=" + ALL_VERSIONS);

  @Override
  public void move(Side from, Side to, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    from.run(to, "CopyTable", copied(table, to.clusterKey(), pass));
  }

  /** The arguments of {@code CopyTable}. */
  static List<String> copied(TableName table, String peer, Pass pass) {
    List<String> arguments = new ArrayList<>(ALL);
    arguments.add("--starttime=" + pass.from());
    if (!pass.isLast()) {
      arguments.add("--endtime=" + pass.to());
    }
    arguments.add("--peer.adr=" + peer);
    arguments.add(table.getNameAsString());
    return arguments;
  }
}

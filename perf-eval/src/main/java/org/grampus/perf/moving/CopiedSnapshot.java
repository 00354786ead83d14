package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;

/**
 * {@code CopyTable} of a stock HBase's snapshot. It writes to the server of its configuration alone
 * (one with {@code --peer.adr} is refused), so it runs as a client of the new one and is told where
 * the old one's files are.
 */
final class CopiedSnapshot implements Way {
  @Override
  public void move(Side from, Side to, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    String snapshot = table + "-" + pass.number();
    try (Admin admin = from.connection().getAdmin()) {
      admin.snapshot(snapshot, table);
      List<String> arguments = new ArrayList<>();
      arguments.add("-Dhbase.rootdir=" + from.rootDir());
      arguments.addAll(CopiedCells.ALL);
      arguments.addAll(List.of("--snapshot", "--new.name=" + table, snapshot));
      to.run(from, "CopyTable", arguments);
      admin.deleteSnapshot(snapshot);
    }
  }
}

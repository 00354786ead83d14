package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Leftovers;

/**
 * {@code CopyTable} of a stock HBase's snapshot. It writes to the server of its configuration alone
 * (one with {@code --peer.adr} is refused), so it runs as a client of the target and is told where
 * the source's files are. A snapshot has all cells of its time: the range of the pass has no effect
 * on it.
 */
final class CopiedSnapshot implements CopyMethod {
  /** Below its working directory the tool restores the snapshot, and leaves it there. */
  private static final String RESTORED = "copytable";

  @Override
  public void copy(Side source, Side target, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    String snapshot = table + "-" + pass.number();
    try (Admin admin = source.connection().getAdmin()) {
      admin.snapshot(snapshot, table);
      // A tool that fails ends the migration, and the servers with their files.
      target.run(source, "CopyTable", arguments(table, source.rootDir(), snapshot));
      admin.deleteSnapshot(snapshot);
    }
    Leftovers.delete(target.files(RESTORED));
  }

  /** The arguments of {@code CopyTable}. */
  static List<String> arguments(TableName table, String rootDir, String snapshot) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dhbase.rootdir=" + rootDir);
    arguments.addAll(CopiedCells.ALL);
    arguments.addAll(List.of("--snapshot", "--new.name=" + table, snapshot));
    return arguments;
  }
}

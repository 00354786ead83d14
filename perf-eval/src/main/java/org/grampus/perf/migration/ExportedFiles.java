package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** {@code Export} and {@code Import}, through files. */
final class ExportedFiles implements CopyMethod {
  @Override
  public void copy(Side source, Side target, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    String files = source.files(table + "-" + pass.number()).toUri().toString();
    source.run(target, "Export", exportArguments(table, files, pass));
    target.run(source, "Import", List.of(table.getNameAsString(), files));
  }

  /** The arguments of {@code Export}. */
  static List<String> exportArguments(TableName table, String files, Pass pass) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dhbase.mapreduce.include.deleted.rows=true");
    arguments.addAll(List.of(table.getNameAsString(), files, HBaseTools.ALL_VERSIONS));
    arguments.add(String.valueOf(pass.startMillis()));
    if (!pass.isLast()) {
      arguments.add(String.valueOf(pass.endMillis()));
    }
    return arguments;
  }
}

package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;

/** {@code Export} and {@code Import}, through files. */
final class ExportedFiles implements Way {
  @Override
  public void move(Side from, Side to, TableName table, Pass pass)
      throws ToolException, IOException, InterruptedException {
    String files = from.files(table + "-" + pass.number()).toUri().toString();
    from.run(to, "Export", exported(table, files, pass));
    to.run(from, "Import", List.of(table.getNameAsString(), files));
  }

  /** The arguments of {@code Export}. */
  static List<String> exported(TableName table, String files, Pass pass) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dhbase.mapreduce.include.deleted.rows=true");
    arguments.addAll(List.of(table.getNameAsString(), files, ALL_VERSIONS));
    arguments.add(String.valueOf(pass.from()));
    if (!pass.isLast()) {
      arguments.add(String.valueOf(pass.to()));
    }
    return arguments;
  }
}

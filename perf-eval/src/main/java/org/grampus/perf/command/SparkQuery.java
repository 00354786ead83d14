package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;
import org.grampus.perf.process.MeasuredServer;

/**
 * A query of Spark's shell for SQL that needs all columns of the wanted rows, and no more of them
 * than a hash.
 *
 * @param home where Spark is installed
 */
record SparkQuery(Path home, Checkout checkout, MeasuredServer server) {
  private static final String JAR = "spark/grampus-spark.jar";

  /**
   * The program of a query.
   *
   * @param tasks that run at a time
   * @param splits of the table
   * @param directory of its own, which does not exist
   */
  ClientProgram program(JobWork work, int tasks, int splits, Path directory) {
    List<String> command =
        new ArrayList<>(List.of(home.toAbsolutePath().resolve("bin/spark-sql").toString()));
    command.addAll(List.of("--master", "local[" + tasks + "]", "--driver-memory", "1g"));
    command.addAll(List.of("--jars", checkout.build().resolve(JAR).toString()));
    command.addAll(List.of("--driver-class-path", server.confDir().toString()));
    for (String setting :
        List.of(
            "spark.sql.catalogImplementation=in-memory",
            "spark.sql.warehouse.dir=" + directory.toUri(),
            "spark.local.dir=" + directory,
            "spark.ui.enabled=false")) {
      command.addAll(List.of("--conf", setting));
    }
    command.addAll(List.of("-e", view(work, splits) + "; " + query(work)));
    return new ClientProgram(command).in(checkout.build()).whileRuns(server::runs);
  }

  private static String view(JobWork work, int splits) {
    StringBuilder options = new StringBuilder();
    option(options, "table", work.table());
    option(options, "snapshot", work.snapshot());
    option(options, "grampus.mapreduce.splits", String.valueOf(splits));
    if (!work.columns().isEmpty()) {
      option(options, "columns", String.join(",", work.columns()));
    }
    return "CREATE TEMPORARY VIEW rows USING grampus OPTIONS (" + options + ")";
  }

  private static void option(StringBuilder options, String name, String value) {
    options.append(options.isEmpty() ? "" : ", ").append("`" + name + "` '" + value + "'");
  }

  private static String query(JobWork work) {
    String where = work.condition().isEmpty() ? "" : " WHERE " + work.condition();
    return "SELECT 'queried', count(*), 'rows', sum(xxhash64(*)) FROM rows" + where;
  }
}

package org.grampus.perf.judges;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.grampus.perf.process.ProgramEnd;

/**
 * Jobs of Grampus on a cluster whose files are on HDFS: a bulk load, a count by splits for each
 * server, a download of files past the servers.
 */
final class JobsOnHdfs implements Judge {
  private static final String TABLE = "loaded";
  private static final int REGIONS = 5;
  private static final int SPLITS_PER_SERVER = 3;
  private static final int PARTS = 12;
  private static final String COUNTER = "org.apache.hadoop.hbase.mapreduce.RowCounter";
  private static final String INPUT = "org.grampus.mapreduce.input.TableInputFormat";
  private static final Pattern SPLITS = Pattern.compile("number of splits:(\\d+)");

  private final int rows;

  /** With a number of rows. */
  JobsOnHdfs(int rows) {
    this.rows = rows;
  }

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    Path file = bench.cluster().directory().resolve("rows.csv");
    write(file);
    ProgramEnd loaded =
        bench.grampus(
            "import", file.toUri().toString(), TABLE, "--key=id", "--bulk", "--regions=" + REGIONS);
    Objections objections = Objections.of(loaded);
    says(objections, loaded, said("imported %,d rows"));
    int servers = countByServer(bench, objections);
    ProgramEnd downloaded =
        bench.grampus("download", TABLE, "--to=/" + TABLE, "--format=parquet", "--splits=" + PARTS);
    objections.unless(downloaded.code() == 0, "the download's exit code is " + downloaded.code());
    says(objections, downloaded, said("downloaded %,d rows"));
    return objections.with(
        String.format(
            Locale.ROOT, "%d rows loaded, counted on %d servers, downloaded", rows, servers));
  }

  /** Without the balancer: a region that moves has another server. */
  private int countByServer(JudgeBench bench, Objections objections)
      throws ToolException, IOException, InterruptedException {
    try (Admin admin = bench.connection().getAdmin()) {
      return Unbalanced.run(
          admin,
          () -> {
            bench.awaitQuiet();
            int servers = servers(bench);
            count(objections, counted(bench), servers);
            return servers;
          });
    }
  }

  private static ProgramEnd counted(JudgeBench bench)
      throws ToolException, IOException, InterruptedException {
    return bench.grampus(
        "run",
        COUNTER,
        "-Dhbase.table.input.class=" + INPUT,
        "-Dgrampus.mapreduce.splits.per.server=" + SPLITS_PER_SERVER,
        TABLE);
  }

  private void write(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write("id,value\n");
      for (int row = 0; row < rows; row++) {
        out.write(String.format(Locale.ROOT, "%08d,value %d\n", row, row));
      }
    }
  }

  private String said(String format) {
    return String.format(Locale.ROOT, format, rows);
  }

  private static void says(Objections objections, ProgramEnd end, String wanted) {
    objections.unless(end.output().contains(wanted), "no program has said \"" + wanted + "\"");
  }

  /** Each server of the table's regions has its splits. */
  void count(Objections objections, ProgramEnd end, int servers) {
    objections.unless(end.code() == 0, "the count's exit code is " + end.code());
    long counted = new Counters(end.output()).get("ROWS");
    objections.unless(counted == rows, counted + " rows counted of " + rows + " loaded");
    Matcher said = SPLITS.matcher(end.output());
    String splits = said.find() ? said.group(1) : "no";
    int wanted = servers * SPLITS_PER_SERVER;
    objections.unless(
        splits.equals(String.valueOf(wanted)),
        wanted + " splits were to be, and " + splits + " are");
  }

  private static int servers(JudgeBench bench) throws IOException {
    Set<String> servers = new TreeSet<>();
    try (RegionLocator locator = bench.connection().getRegionLocator(TableName.valueOf(TABLE))) {
      locator.clearRegionLocationCache();
      locator
          .getAllRegionLocations()
          .forEach(location -> servers.add(location.getServerName().toString()));
    }
    return servers.size();
  }
}

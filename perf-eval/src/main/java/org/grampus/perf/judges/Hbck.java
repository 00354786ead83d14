package org.grampus.perf.judges;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.MetaTableAccessor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Node;
import org.grampus.perf.process.Await;
import org.grampus.perf.process.ProgramEnd;

/**
 * HBase's {@code hbck -details}: compares hbase:meta, what servers have open, and the directories
 * of regions. It repairs nothing in a cluster of HBase 2.
 */
final class Hbck implements Judge {
  private static final String TOOL = "org.apache.hadoop.hbase.util.HBaseFsck";
  private static final Pattern TABLE =
      Pattern.compile("^Table (\\S+) is (okay|inconsistent).*$", Pattern.MULTILINE);
  private static final Pattern REGIONS =
      Pattern.compile("^\\s*Number of regions: (\\d+)$", Pattern.MULTILINE);
  private static final Pattern ERROR = Pattern.compile("^ERROR: .*$", Pattern.MULTILINE);
  private static final Pattern SUM =
      Pattern.compile("^(\\d+) inconsistencies detected\\.$", Pattern.MULTILINE);

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    bench.awaitQuiet();
    awaitNoParents(bench);
    ProgramEnd end = bench.inQuiet(TOOL, "-details");
    try (Admin admin = bench.connection().getAdmin()) {
      Set<String> tables = new TreeSet<>();
      for (TableName table : admin.listTableNames()) {
        tables.add(table.getNameAsString());
      }
      return judge(end, tables);
    }
  }

  /**
   * Compacts until the master has cleared away the parents of splits, as it does every five minutes
   * where it can: hbck takes one that is left for an error, and its server for an unknown one.
   */
  private static void awaitNoParents(JudgeBench bench)
      throws ToolException, IOException, InterruptedException {
    Connection connection = bench.connection();
    try (Admin admin = connection.getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        admin.majorCompact(table);
      }
      Await.until(
          "hbase:meta without parents of splits",
          bench.regionServers().stream().map(Node::daemon).toList(),
          () -> {
            admin.runCatalogJanitor();
            return MetaTableAccessor.getAllRegions(connection, false).stream()
                .noneMatch(RegionInfo::isSplit);
          });
    }
  }

  /** What its output means: every table must be okay, by its name. */
  static Judgement judge(ProgramEnd end, Set<String> tables) {
    Objections objections = Objections.of(end);
    Set<String> okay = new TreeSet<>();
    Matcher table = TABLE.matcher(end.output());
    while (table.find()) {
      if (table.group(2).equals("okay")) {
        okay.add(table.group(1));
      } else {
        objections.add(table.group());
      }
    }
    for (String name : tables) {
      objections.unless(okay.contains(name), "it does not say that " + name + " is okay");
    }
    ERROR.matcher(end.output()).results().forEach(error -> objections.add(error.group()));
    Matcher sum = SUM.matcher(end.output());
    objections.unless(
        sum.find() && sum.group(1).equals("0"), "it does not say that nothing is inconsistent");
    objections.unless(end.output().contains("Status: OK"), "its status is not OK");
    long regions =
        REGIONS
            .matcher(end.output())
            .results()
            .mapToLong(found -> Long.parseLong(found.group(1)))
            .sum();
    return objections.with(okay.size() + " tables of " + regions + " regions are okay");
  }
}

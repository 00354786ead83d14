package org.grampus.perf.judges;

import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ProgramEnd;

/** HBase's {@code CanaryTool}: reads each family of each region, as an operator's alarm would. */
final class Canary implements Judge {
  private static final String TOOL = "org.apache.hadoop.hbase.tool.CanaryTool";
  private static final Pattern READ = Pattern.compile("Read from (.+\\.) on \\S+ \\S+ in \\d+ms");
  private static final Pattern ERROR = Pattern.compile(" ERROR .*");
  private static final String MILLIS = "120000";

  @Override
  public Judgement judge(JudgeBench bench) throws ToolException, IOException, InterruptedException {
    bench.awaitQuiet();
    Set<String> regions = regions(bench);
    return judge(bench.inQuiet(TOOL, "-f", "false", "-failureAsError", "-t", MILLIS), regions);
  }

  /** The names of the regions of all tables of users and of HBase's own but the catalogue's. */
  private static Set<String> regions(JudgeBench bench) throws IOException {
    Set<String> names = new TreeSet<>();
    try (Admin admin = bench.connection().getAdmin()) {
      for (TableName table : admin.listTableNames()) {
        for (RegionInfo region : admin.getRegions(table)) {
          names.add(region.getRegionNameAsString());
        }
      }
    }
    return names;
  }

  /** What its output means: every region must have been read, by its name. */
  static Judgement judge(ProgramEnd end, Set<String> regions) {
    Objections objections = Objections.of(end);
    Set<String> read = new TreeSet<>();
    Matcher line = READ.matcher(end.output());
    while (line.find()) {
      read.add(line.group(1));
    }
    for (String region : regions) {
      objections.unless(read.contains(region), region + " was not read");
    }
    Matcher error = ERROR.matcher(end.output());
    if (error.find()) {
      objections.add("it says:" + error.group());
    }
    return objections.with(read.size() + " regions read");
  }
}

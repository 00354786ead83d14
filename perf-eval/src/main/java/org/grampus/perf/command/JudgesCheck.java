package org.grampus.perf.command;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.grampus.compat.suite.Violations;
import org.grampus.perf.cluster.Cluster;
import org.grampus.perf.cluster.ClusterClients;
import org.grampus.perf.cluster.ClusterPlan;
import org.grampus.perf.judges.Judge;
import org.grampus.perf.judges.JudgeBench;
import org.grampus.perf.judges.Judgement;
import org.grampus.perf.judges.Judges;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** HBase's own tests on a cluster whose processes fail, see {@link Judges}. */
@Command(
    name = "judges",
    description = {
      "HBase's own integration tests and tools, from Maven, on HDFS, ZooKeeper, two stock HMasters"
          + " and three region servers of Grampus as processes on loopback, one of which at a time"
          + " is killed, paused or restarted meanwhile: IntegrationTestBigLinkedList, LoadTestTool,"
          + " AcidGuaranteesTestTool, RowCounter. Then splits and merges whose servers die,"
          + " the balancer, jobs over files on HDFS, CanaryTool and hbck.",
      "Fails when one of them objects, or a region server ends by itself."
    })
final class JudgesCheck extends MeasuringCommand {
  private static final double NANOS = 1e9;
  private static final int SERVERS = 3;
  private static final int SESSION_MILLIS = 6000;

  @Option(
      names = "--judge",
      paramLabel = "NAME",
      description = "Judges, by the beginnings of their names. Default: all")
  private List<String> names = List.of();

  @Option(
      names = "--rows",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "200000",
      description = "Rows of the linked list, about. Default: ${DEFAULT-VALUE}")
  private int rows;

  @Option(
      names = "--period",
      paramLabel = "SECONDS",
      converter = AtLeastOne.class,
      defaultValue = "20",
      description = "From one fault to the next. Default: ${DEFAULT-VALUE}")
  private int period;

  @Option(names = "--calm", description = "No faults but those that judges inject themselves")
  private boolean isCalm;

  @Mixin private ClusterOptions options;

  private final Violations violations = new Violations();

  @Override
  protected void measure() throws Exception {
    Map<String, Judge> judges = new Judges(rows).named(names);
    Random random = options.random("judges");
    Path place = options.directoryOr(work());
    ClusterPlan plan = ClusterPlan.forTrouble(SERVERS, SESSION_MILLIS);
    try (Cluster cluster = Cluster.start(checkout(), place, plan);
        ClusterClients operator = new ClusterClients(cluster, violations)) {
      note("what HBase's client prints is in " + operator.noise().log());
      JudgeBench bench =
          new JudgeBench(checkout(), cluster, operator, violations, random, isCalm ? 0 : period);
      for (Map.Entry<String, Judge> judge : judges.entrySet()) {
        hear(judge.getKey(), judge.getValue(), bench);
      }
      System.out.printf(
          Locale.ROOT,
          "checked: judges %s, %d faults beside them, %d violations%n",
          judges.keySet(),
          bench.faults(),
          violations.count());
    }
    ClusterOptions.requireNone(violations);
  }

  private void hear(String name, Judge judge, JudgeBench bench) throws Exception {
    System.out.println(name);
    long began = System.nanoTime();
    Judgement judgement = judge.judge(bench);
    judgement.objections().forEach(objection -> violations.add(name + ": " + objection));
    System.out.printf(
        Locale.ROOT,
        "%s: %s in %.1f s%s%n",
        name,
        judgement.counts(),
        (System.nanoTime() - began) / NANOS,
        judgement.objections().isEmpty() ? "" : ", with objections");
  }
}

package org.grampus.perf.command;

import java.util.ArrayList;
import java.util.List;
import org.grampus.compat.suite.target.ServerKind;
import org.grampus.perf.hadoop.HadoopCluster;
import org.grampus.perf.jobs.JobBench;
import org.grampus.perf.jobs.JobChecks;
import org.grampus.perf.process.MeasuredServer;
import org.grampus.perf.process.ServerPlan;
import org.grampus.perf.process.Took;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A server beside a small Hadoop whose jobs read and write it. */
@Command(
    name = "hadoop",
    description = {
      "Jobs on Hadoop's own daemons against a server: HBase's, those over Grampus's input formats,"
          + " downloads and imports.",
      "Fails when a result is not what is known of it, or something is left behind. Everything is on"
          + " loopback."
    })
final class Hadoop extends MeasuringCommand {
  @Option(names = "--long", description = "More of what is killed, interrupted and out of space")
  private boolean isLong;

  @Option(names = "--check", paramLabel = "NAME", description = "Only checks whose names begin so")
  private List<String> checks = new ArrayList<>();

  @Override
  protected void measure() throws Exception {
    int count;
    long begun = System.nanoTime();
    try (HadoopCluster cluster = HadoopCluster.start(checkout(), work().resolve("hadoop"))) {
      Took.print("Hadoop's daemons", begun);
      begun = System.nanoTime();
      try (MeasuredServer server =
              MeasuredServer.start(
                  checkout(), work().resolve("server"), ServerPlan.of(ServerKind.GRAMPUS));
          JobBench bench = new JobBench(checkout(), cluster, server, work().resolve("logs"))) {
        Took.print("a server beside them", begun);
        count = new JobChecks(bench, isLong).run(checks);
        server.stop();
      }
    }
    System.out.println("checked: " + count + " kinds of jobs on Hadoop");
  }
}

package org.grampus.perf.pe.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.grampus.perf.pe.client.CommandProperties;
import org.grampus.perf.pe.client.LocalClients;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.job.ClientJob;
import org.grampus.perf.pe.job.SplitScanJob;
import org.grampus.perf.pe.measure.Clock;
import org.grampus.perf.pe.measure.SystemClock;
import org.grampus.perf.pe.option.CallSettings;
import org.grampus.perf.pe.option.ClientOptions;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.EffectiveSettings;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Setting;
import org.grampus.perf.pe.report.OwnLines;
import org.grampus.perf.pe.report.ReportDirectory;
import org.grampus.perf.pe.report.StockLines;
import org.grampus.perf.pe.table.TestTable;
import org.grampus.perf.pe.work.RowTestFactory;
import org.grampus.perf.result.Commit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Measures an HBase or a Grampus with HBase's tests, options and output. Exit codes: 0 all was done
 * as asked, 1 it was not, 2 wrong arguments.
 */
public final class PerformanceEvaluation extends Configured implements Tool {
  /** HBase's name, by which sites set its level and scripts know its lines. */
  private static final Logger LOG =
      LoggerFactory.getLogger("org.apache.hadoop.hbase.PerformanceEvaluation");

  private static final int DONE = CommandLine.ExitCode.OK;
  private static final int FAILED = CommandLine.ExitCode.SOFTWARE;
  private static final int WRONG_ARGUMENTS = CommandLine.ExitCode.USAGE;

  private final Clock clock = new SystemClock();

  /** For {@link ToolRunner}. */
  public PerformanceEvaluation(Configuration conf) {
    super(conf);
  }

  /** The command. */
  public static void main(String[] arguments) {
    int code;
    try {
      Configuration conf = HBaseConfiguration.create();
      code = ToolRunner.run(conf, new PerformanceEvaluation(conf), arguments);
    } catch (Exception e) {
      LOG.error("The run has failed", e);
      code = FAILED;
    }
    System.exit(code);
  }

  @Override
  public int run(String[] arguments) {
    PeOptions options;
    try {
      options = PeOptions.parse(Arrays.asList(arguments));
      if (!options.help() && options.command() == Command.CUSTOM) {
        RowTestFactory.classOf(options.name());
      }
    } catch (CommandLine.ParameterException | IllegalArgumentException e) {
      System.err.println("grampus: " + e.getMessage());
      System.err.println("grampus: pe --help lists options and tests");
      return WRONG_ARGUMENTS;
    }
    if (options.help()) {
      Usage.print(System.err);
      return DONE;
    }
    return run(options);
  }

  private int run(PeOptions options) {
    try {
      List<String> failures = measure(options);
      failures.forEach(failure -> LOG.error("The run has failed: {}", failure));
      return failures.isEmpty() ? DONE : FAILED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.error("The run was interrupted", e);
      return FAILED;
    } catch (IOException | RuntimeException e) {
      LOG.error("The run has failed: {}", e.getMessage(), e);
      return FAILED;
    }
  }

  private List<String> measure(PeOptions options) throws IOException, InterruptedException {
    Configuration conf = getConf();
    options.properties().forEach((key, value) -> conf.set(key, value, "from command line"));
    EffectiveSettings settings =
        new EffectiveSettings(options, conf, clock.epochMillis(clock.nanos()));
    options.warnings().forEach(LOG::warn);
    Path report = options.measure().report();
    if (report == null) {
      RunResult run = run(options, settings);
      return run.failures(options.reads().allowMissing());
    }
    try (ReportDirectory directory = ReportDirectory.at(calledFrom().resolve(report))) {
      RunResult run = run(options, settings);
      List<String> failures = run.failures(options.reads().allowMissing());
      directory.write(Commit.ofInstallation(), options, settings.shown(), run, failures);
      return failures;
    }
  }

  /** bin/grampus runs in a directory of its own. */
  private static Path calledFrom() {
    String directory = System.getenv("GRAMPUS_CALLED_FROM");
    return Path.of(directory == null ? "" : directory);
  }

  private RunResult run(PeOptions options, EffectiveSettings settings)
      throws IOException, InterruptedException {
    for (Setting setting : settings.shown()) {
      LOG.info("Setting {}", setting);
    }
    CommandProperties.of(options); // a file that is missing is found before a table is dropped
    prepareTable(options);
    LOG.info("{} test run options={}", options.name(), options.arguments());
    RunResult run = clients(options, settings.calls());
    run.requireAnswers();
    new StockLines(options, LOG::info).summary(run);
    OwnLines.summary(run, LOG::info);
    return run;
  }

  private void prepareTable(PeOptions options) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(getConf());
        Admin admin = connection.getAdmin()) {
      new TestTable(admin, options).prepare().forEach(LOG::warn);
    }
  }

  private RunResult clients(PeOptions options, CallSettings settings)
      throws IOException, InterruptedException {
    ClientOptions where = options.clients();
    long now = clock.epochMillis(clock.nanos());
    if (where.threads()) {
      return threads(options, settings);
    }
    return where.direct() || where.mappersPerServer() > 0
        ? new SplitScanJob(options, getConf()).run(settings, now)
        : new ClientJob(options, getConf(), LOG).run(settings, now);
  }

  private RunResult threads(PeOptions options, CallSettings settings)
      throws IOException, InterruptedException {
    StockLines lines = new StockLines(options, LOG::info);
    return new LocalClients(options, getConf(), clock, LOG).run(settings, lines);
  }
}

package org.grampus.perf.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;
import org.grampus.perf.compare.Bench;
import org.grampus.perf.compare.Catalogue;
import org.grampus.perf.compare.Comparison;
import org.grampus.perf.compare.ComparisonFiles;
import org.grampus.perf.compare.ComparisonPlots;
import org.grampus.perf.compare.Effort;
import org.grampus.perf.compare.Failures;
import org.grampus.perf.compare.Other;
import org.grampus.perf.compare.OverloadRows;
import org.grampus.perf.compare.PairPlan;
import org.grampus.perf.compare.Progress;
import org.grampus.perf.compare.Round;
import org.grampus.perf.compare.Row;
import org.grampus.perf.compare.Schedule;
import org.grampus.perf.compare.ServerPair;
import org.grampus.perf.compare.Sizes;
import org.grampus.perf.hadoop.Hdfs;
import org.grampus.perf.hadoop.HdfsHosts;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Leftovers;
import org.grampus.perf.result.Commit;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Grampus and a stock HBase 2.6.1 on the same work in one run. Both servers are up and take turns,
 * or work at once, so that a machine whose speed drifts treats both alike; each has the same memory
 * in all, and is warmed up by runs that are not counted.
 *
 * <p>A process keeps what its compiler and allocator have decided: two processes of the same server
 * differ by up to 20 %. Rounds of fresh processes tell such luck from a difference of the servers.
 */
@Command(
    name = "compare",
    description = {
      "Grampus beside a stock HBase 2.6.1 on the same machine and the same work: server CPU per"
          + " operation, which is the kernel's account of the server's process, with JIT, GC,"
          + " flushes, compactions and the embedded master; client CPU, throughput, latencies,"
          + " memory and bytes on disk. Writes compare.json, compare.md and plots.",
      "Fails at its end when Grampus has had more than a quarter above its memory, a server has not"
          + " stopped in time, or an observed one has had no sink or no page.",
      "With --against the other server is an earlier state of Grampus.",
      "Environment: COMPARE_MEMORY_MB, memory of each server, 4096 by default."
    })
final class Compare extends MeasuringCommand {
  private static final String COMMIT = "againstCommit";
  private static final String BUILD = "againstBuild";
  private static final int DATA_NODES = 2;
  private static final int COPIES_FULL = 10;
  private static final int OVERLOAD_PART = 4;

  /** A stock HBase ends with a heap of 300 MiB when 16 threads write. */
  private static final long OVERLOAD_LEAST_MB = 768;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "250000",
      description = "Rows of each of 4 loading clients. Default: ${DEFAULT-VALUE}")
  private long rows;

  @Option(
      names = "--only",
      paramLabel = "ROW",
      split = ",",
      description =
          "Rows of the table, with commas between. Default: all but the flat rows, which come by"
              + " name or with --full")
  private List<String> only = List.of();

  @Parameters(
      paramLabel = "ROW",
      arity = "0..*",
      description = "The same; also PerformanceEvaluation's randomRead, randomWrite and such.")
  private List<String> named = List.of();

  @Option(
      names = "--full",
      description =
          "For published tables: at least 10 s of the cheaper server's CPU in a repetition, a"
              + " warm-up of 20 s or a million operations, four pairs, ten copies of the flights,"
              + " and the rows of flat costs.")
  private boolean full;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "1",
      converter = AtLeastOne.class,
      description =
          "Rounds, each with two fresh servers. Processes of the same server differ by up to"
              + " 20 %%: a smaller difference needs rounds. Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description = "Counted pairs of each row in each round. Default: 2, with --full 4")
  private Integer repeat;

  @Option(
      names = "--cpu",
      paramLabel = "SECONDS",
      converter = Seconds.class,
      description =
          "Least server CPU of a repetition on the cheaper server. Default: 1, with --full 10")
  private Double cpuSeconds;

  @Option(
      names = "--warm",
      paramLabel = "SECONDS",
      converter = Seconds.class,
      description =
          "Seconds of requests before the first repetition, without a limit of operations and"
              + " not repeated. Name only rows that read: a faster server would write more, and"
              + " begin with a larger table. The JVM compiles a method in full after some ten"
              + " thousand calls, and a million rows of 'scan' are 1,000. Default: 2 s, with --full"
              + " 20 s, at most twice --cpu, or a million operations; repeated up to four times"
              + " while they get cheaper")
  private Double warmSeconds;

  @Option(
      names = "--memory",
      paramLabel = "MB",
      defaultValue = "${env:COMPARE_MEMORY_MB:-4096}",
      description = "Memory of each server. Default: ${DEFAULT-VALUE}")
  private long memoryMb;

  @Option(
      names = CompareOptions.AGAINST,
      paramLabel = "DIR",
      description = "Another checkout of Grampus, built, instead of the stock HBase.")
  private Path against;

  @Option(
      names = CompareOptions.OBSERVED,
      description =
          "Grampus beside itself instead of the stock HBase: metrics of the one go to a sink each"
              + " 10 s, and in its turns /prometheus is scraped each 10 s and /rs-status asked for"
              + " each second. It has to be as cheap and as fast but for 5 %%, which is judged from"
              + " --rounds 3 on.")
  private boolean observed;

  @Option(
      names = CompareOptions.HDFS,
      description =
          "Region servers on one HDFS on this machine, each with a stock HMaster and ZooKeeper,"
              + " instead of standalone servers. What is counted is the region server's.")
  private boolean onHdfs;

  @Option(
      names = CompareOptions.AT_ONCE,
      description =
          "Both servers work at the same time, so that other load slows both alike: for ratios of"
              + " server CPU. Latencies and throughput are those beside the other server, the"
              + " clients' CPU is not measured, and no goal is judged.")
  private boolean atOnce;

  @Option(
      names = CompareOptions.REQUIRE,
      description = "Fails, with exit code 1, when a row misses its goal.")
  private boolean requiring;

  private final List<Run> counted = new ArrayList<>();
  private final Failures failures = new Failures(MeasuringCommand::note);
  private Other other;
  private List<Row> selected;
  private Map<String, Object> ofAgainst = Map.of();
  private Bench bench;
  private Path out;

  @Override
  protected void measure() throws Exception {
    options().require();
    other = other();
    if (against != null) {
      ofAgainst = settingsOf(against.toAbsolutePath().normalize());
      note(against + ": commit " + ofAgainst.get(COMMIT) + ", built " + ofAgainst.get(BUILD));
    }
    List<String> names = Stream.concat(only.stream(), named.stream()).toList();
    selected = selected(names);
    out = outOr("compare");
    bench = new Bench(checkout(), work(), sizes(), MeasuringCommand::note);
    PageCache.fill(work().resolve("page-cache"), 2 * memoryMb + PageCache.CLIENTS_AND_SYSTEM_MB);
    if (onHdfs) {
      try (Hdfs hdfs =
          Hdfs.create(
              checkout(), work().resolve("hdfs"), HdfsHosts.loopback(DATA_NODES), Map.of())) {
        hdfs.start();
        rounds(Optional.of(hdfs.uri()));
      }
    } else {
      rounds(Optional.empty());
    }
    show(comparison());
    failures.require();
  }

  private List<Row> selected(List<String> names) throws ToolException {
    if (observed) {
      return Catalogue.observed(names, full);
    }
    return atOnce ? Catalogue.atOnce(names, full) : Catalogue.select(names, onHdfs, full);
  }

  private void show(Comparison comparison) throws IOException, InterruptedException {
    List<String> missed = comparison.missed();
    if (requiring && !missed.isEmpty()) {
      failures.add("goals that are missed: " + String.join(", ", missed));
    }
    save();
    ComparisonPlots.draw(comparison, schedule(), out);
    System.out.println("\n" + comparison.goals() + "\n\n" + comparison.figures());
    note("result: " + out.resolve("compare.md"));
    System.out.println("checked: " + comparison.sentence());
  }

  private void rounds(Optional<String> hdfs) throws Exception {
    for (int number = 1; number <= rounds; number++) {
      round(number, hdfs, rows(row -> !OverloadRows.has(row)), memoryMb);
      round(number, hdfs, rows(OverloadRows::has), bench.sizes().overloadMemoryMb());
    }
  }

  private List<Row> rows(Predicate<Row> wanted) {
    return selected.stream().filter(wanted).toList();
  }

  private Sizes sizes() {
    return full
        ? new Sizes(rows * Sizes.CLIENTS, COPIES_FULL, memoryMb)
        : new Sizes(
            rows * Sizes.CLIENTS,
            Sizes.COPIES,
            Math.max(memoryMb / OVERLOAD_PART, OVERLOAD_LEAST_MB));
  }

  private Effort effort() {
    Effort effort = full ? Effort.FULL : Effort.SHORT;
    if (repeat != null) {
      effort = effort.pairs(repeat);
    }
    if (cpuSeconds != null) {
      effort = effort.cpuSeconds(cpuSeconds);
    }
    return warmSeconds == null ? effort : effort.warmSeconds(warmSeconds);
  }

  /** In every second round the other server is the first to start and to take its turn. */
  private void round(int number, Optional<String> hdfs, List<Row> rows, long memory)
      throws Exception {
    if (rows.isEmpty()) {
      return;
    }
    Path directory = Files.createDirectory(work().resolve("servers"));
    PairPlan plan = new PairPlan(other, hdfs, memory, number % 2 == 0);
    try (ServerPair pair = ServerPair.start(checkout(), plan, directory)) {
      note("round " + number + " of " + rounds);
      new Round(number, pair, bench, effort(), schedule(), progress()).measure(rows);
      pair.stop(failures, MeasuringCommand::note);
    }
    Leftovers.delete(directory);
  }

  private Schedule schedule() {
    return atOnce ? Schedule.AT_ONCE : Schedule.IN_TURN;
  }

  private CompareOptions options() {
    Map<String, Boolean> given =
        Map.of(
            CompareOptions.AGAINST, against != null,
            CompareOptions.AT_ONCE, atOnce,
            CompareOptions.HDFS, onHdfs,
            CompareOptions.OBSERVED, observed,
            CompareOptions.REQUIRE, requiring);
    return new CompareOptions(
        given.keySet().stream().filter(given::get).collect(Collectors.toSet()), rounds);
  }

  private Other other() throws ToolException {
    if (observed) {
      return Other.unobserved(checkout());
    }
    return against == null
        ? Other.HBASE
        : Other.earlier(new Checkout(against.toAbsolutePath().normalize()));
  }

  private Progress progress() {
    return new Progress() {
      @Override
      public void counted(Run run) {
        count(run);
      }

      @Override
      public void rowDone() throws IOException, InterruptedException {
        save();
      }
    };
  }

  private void count(Run run) {
    counted.add(run);
    System.out.println(
        ResultTable.cell(
            "%s\t%s\t%.3f µs\t%.0f op/s\t%.2f s",
            run.server(),
            run.workload(),
            run.serverMicrosPerOperation(),
            run.rowsPerSecond(),
            run.serverCpuSeconds()));
  }

  /** Writes all that there is so far: what was measured is not to be lost by what comes next. */
  private void save() throws IOException, InterruptedException {
    Comparison comparison = comparison();
    ComparisonFiles.write(out, result(settings(comparison), counted), comparison);
  }

  private Comparison comparison() {
    return new Comparison(other.title(), selected, counted);
  }

  /** Of the other checkout, whose servers run what was built there, of whatever sources. */
  private static Map<String, Object> settingsOf(Path against)
      throws IOException, InterruptedException {
    Commit commit = Commit.of(against);
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("against", against.toString());
    settings.put(COMMIT, commit.id() + (commit.changed() ? " with changes" : ""));
    settings.put(
        BUILD, new Checkout(against).isStale() ? "before its sources changed" : "of its sources");
    return settings;
  }

  private Map<String, Object> settings(Comparison comparison) {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("rowsOfTables", bench.sizes().rows());
    settings.put("copiesOfFlights", bench.sizes().copies());
    settings.put("cpuSeconds", effort().cpuSeconds());
    settings.put("warmSeconds", effort().warmSeconds());
    if (!effort().isWarmByTime()) {
      settings.put("warmOperations", effort().warmOperations());
    }
    settings.put("pairs", effort().pairs());
    settings.put("memoryMb", memoryMb);
    settings.put("overloadMemoryMb", bench.sizes().overloadMemoryMb());
    settings.put("rounds", rounds);
    settings.put("hdfs", onHdfs);
    settings.put("observed", observed);
    settings.put("atOnce", atOnce);
    if (against != null) {
      settings.putAll(ofAgainst);
    }
    if (!failures.sentences().isEmpty()) {
      settings.put("failures", failures.sentences());
    }
    settings.put(ComparisonFiles.ROWS, comparison.toMaps());
    return settings;
  }
}

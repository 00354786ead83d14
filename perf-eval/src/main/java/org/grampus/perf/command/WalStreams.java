package org.grampus.perf.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stream.Cost;
import org.grampus.perf.stream.StreamBench;
import org.grampus.perf.stream.Turn;
import org.grampus.perf.stream.Variant;
import org.grampus.perf.stream.VariantOrder;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a group of the log costs on HDFS, by the stream that it is written to. */
@Command(
    name = "wal-streams",
    description = {
      "HDFS with three data nodes on loopback, and one thread that writes groups as the log does, to"
          + " the pipeline stream (DFSOutputStream) and to the fan-out stream of hbase-asyncfs in"
          + " turns: groups per second, latencies, CPU of the writing process and of the data nodes.",
      "One machine does not show what a network costs: the pipeline stream goes from one data node"
          + " to the next, and the fan-out stream leaves the client three times.",
      "Fails when a block is written to fewer than three data nodes."
    })
final class WalStreams extends MeasuringCommand {
  /** Rounds that are not counted: the second compiler of the data nodes needs more than one. */
  private static final int WARM_UP_ROUNDS = 2;

  @Option(
      names = "--kib",
      paramLabel = "N",
      split = ",",
      converter = GroupKib.class,
      defaultValue = "1,4,32,256",
      description = "Sizes of groups in KiB, with commas between. Default: ${DEFAULT-VALUE}")
  private List<Integer> groupKibs;

  @Option(
      names = "--in-flight",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "4",
      description =
          "Groups of the fan-out stream that may be on their way at once, measured beside one"
              + " alone. Default: ${DEFAULT-VALUE}")
  private int inFlight;

  @Option(
      names = "--event-loops",
      paramLabel = "N",
      converter = AtLeastOne.class,
      description =
          "Threads of Netty below the fan-out stream. Default: HBase's, which is Netty's: two for"
              + " each core")
  private int eventLoops; // 0 is HBase's default, too

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "6",
      description =
          "Turns of each stream, size and sync, after two that are not counted."
              + " Default: ${DEFAULT-VALUE}")
  private int rounds;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "1",
      description =
          "Time of a turn, which ends before it when its file has a block. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--seed",
      description = "Seed of the order of turns, another one in each round. Default: the clock")
  private Long seed;

  private final Map<Variant, List<Turn>> turns = new LinkedHashMap<>();

  @Override
  protected void measure() throws Exception {
    if (seed == null) {
      seed = System.nanoTime();
    }
    System.out.println("wal-streams: seed " + seed);
    List<Variant> variants = Variant.all(groupKibs, inFlight);
    variants.forEach(variant -> turns.put(variant, new ArrayList<>()));
    VariantOrder order = new VariantOrder(variants, seed);
    try (StreamBench bench = StreamBench.start(checkout(), work().resolve("hdfs"), eventLoops)) {
      for (int round = 1; round <= WARM_UP_ROUNDS; round++) {
        note("warm-up round " + round + " of " + WARM_UP_ROUNDS);
        round(bench, order.next());
      }
      turns.values().forEach(List::clear);
      for (int round = 1; round <= rounds; round++) {
        note("round " + round + " of " + rounds);
        round(bench, order.next());
      }
    }
    report();
  }

  private void round(StreamBench bench, List<Variant> order) throws ToolException, IOException {
    for (Variant variant : order) {
      turns.get(variant).add(bench.turn(variant, seconds));
    }
  }

  private void report() throws Exception {
    ResultTable table =
        new ResultTable(
            "KiB",
            "sync",
            "stream",
            "in flight",
            "groups/s",
            "groups/s, slowest – fastest turn",
            "MB/s",
            "p50, µs",
            "p99, µs",
            "client CPU, µs/group",
            "data nodes' CPU, µs/group");
    List<Run> runs = new ArrayList<>();
    turns.forEach(
        (variant, its) -> {
          Cost cost = Cost.of(variant, its);
          table.row(cells(variant, cost));
          runs.add(Run.ofFigures("hdfs", variant.toString(), cost.figures()));
        });
    System.out.println(table);
    write(settings(), runs);
  }

  private static String[] cells(Variant variant, Cost cost) {
    List<Double> byTurn = cost.groupsPerSecondByTurn();
    return new String[] {
      String.valueOf(variant.groupKib()),
      variant.sync().toString(),
      variant.stream().toString(),
      String.valueOf(variant.inFlight()),
      whole(cost.groupsPerSecond()),
      whole(Collections.min(byTurn)) + " – " + whole(Collections.max(byTurn)),
      ResultTable.cell("%.1f", cost.megabytesPerSecond()),
      whole(cost.p50Micros()),
      whole(cost.p99Micros()),
      whole(cost.clientMicrosPerGroup()),
      whole(cost.dataNodeMicrosPerGroup())
    };
  }

  private static String whole(double figure) {
    return ResultTable.cell("%.0f", figure);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("dataNodes", StreamBench.DATA_NODES);
    settings.put("groupKib", groupKibs);
    settings.put("inFlight", inFlight);
    settings.put("eventLoops", eventLoops);
    settings.put("warmUpRounds", WARM_UP_ROUNDS);
    settings.put("rounds", rounds);
    settings.put("seconds", seconds);
    settings.put("seed", seed);
    return settings;
  }
}

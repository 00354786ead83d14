package org.grampus.perf.command;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.result.ResultTable;
import org.grampus.perf.result.Run;
import org.grampus.perf.stream.Cost;
import org.grampus.perf.stream.StreamBench;
import org.grampus.perf.stream.Turn;
import org.grampus.perf.stream.Way;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a group of the log costs on HDFS, by the stream that it is written to. */
@Command(
    name = "wal-streams",
    description = {
      "HDFS with three data nodes on loopback, and one thread that writes groups as the log does, to"
          + " the stock output stream and to the fan-out stream of hbase-asyncfs in turns: groups per"
          + " second, latencies, CPU of the writing process and of the data nodes.",
      "One machine does not show what a network costs: the stock stream goes from one data node to"
          + " the next, and the fan-out stream leaves the client three times."
    })
final class WalStreams extends MeasuringCommand {
  @Option(
      names = "--kb",
      paramLabel = "N",
      split = ",",
      converter = AtLeastOne.class,
      defaultValue = "1,4,32,256",
      description = "Sizes of groups in KiB, with commas between. Default: ${DEFAULT-VALUE}")
  private List<Integer> groupKbs;

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
      defaultValue = "1",
      description = "Threads of Netty below the fan-out stream. Default: ${DEFAULT-VALUE}")
  private int eventLoops;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      converter = AtLeastOne.class,
      defaultValue = "6",
      description =
          "Turns of each stream, size and sync, after one that is not counted."
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

  private final Map<Way, List<Turn>> turns = new LinkedHashMap<>();

  @Override
  protected void measure() throws Exception {
    List<Way> ways = Way.all(groupKbs, inFlight);
    ways.forEach(way -> turns.put(way, new ArrayList<>()));
    try (StreamBench bench = StreamBench.start(checkout(), work().resolve("hdfs"), eventLoops)) {
      note("warming up " + ways.size() + " ways");
      for (Way way : ways) {
        bench.turn(way, seconds);
      }
      for (int round = 1; round <= rounds; round++) {
        note("round " + round + " of " + rounds);
        round(bench, Servers.ofRound(round, ways));
      }
    }
    report();
  }

  private void round(StreamBench bench, List<Way> ways) throws IOException {
    for (Way way : ways) {
      turns.get(way).add(bench.turn(way, seconds));
    }
  }

  private void report() throws Exception {
    ResultTable table =
        new ResultTable(
            "KB",
            "sync",
            "stream",
            "in flight",
            "groups/s",
            "of rounds",
            "MB/s",
            "p50, µs",
            "p99, µs",
            "client, µs",
            "data nodes, µs");
    List<Run> runs = new ArrayList<>();
    turns.forEach(
        (way, its) -> {
          Cost cost = Cost.of(way, its);
          table.row(cells(way, cost));
          runs.add(Run.ofFigures("hdfs", way.toString(), cost.figures()));
        });
    System.out.println(table);
    write(settings(), runs);
  }

  private static String[] cells(Way way, Cost cost) {
    return new String[] {
      String.valueOf(way.groupKb()),
      way.sync().toString(),
      way.stream().toString(),
      String.valueOf(way.inFlight()),
      whole(cost.groupsPerSecond()),
      whole(Collections.min(cost.ofTurns())) + " – " + whole(Collections.max(cost.ofTurns())),
      ResultTable.cell("%.1f", cost.megabytesPerSecond()),
      whole(cost.p50Micros()),
      whole(cost.p99Micros()),
      whole(cost.clientMicros()),
      whole(cost.dataNodeMicros())
    };
  }

  private static String whole(double figure) {
    return ResultTable.cell("%.0f", figure);
  }

  private Map<String, Object> settings() {
    Map<String, Object> settings = new LinkedHashMap<>();
    settings.put("dataNodes", StreamBench.DATA_NODES);
    settings.put("groupKb", groupKbs);
    settings.put("inFlight", inFlight);
    settings.put("eventLoops", eventLoops);
    settings.put("rounds", rounds);
    settings.put("seconds", seconds);
    return settings;
  }
}

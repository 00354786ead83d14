package org.grampus.compat.suite.scan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.grampus.compat.suite.target.ServerKind;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs random scans on Grampus and on a stock HBase over the same rows and compares what they
 * answer: each reply of a region server with its results, flags and counts of rows, and each result
 * of the stock client. Exit code 0 only without a difference.
 */
@Command(
    name = "scan-difference",
    mixinStandardHelpOptions = true,
    description = "Compares the replies to random scans with those of a stock HBase.")
public final class ScanDifference implements Callable<Integer> {
  private static final int CONTEXT = 4;

  @Option(
      names = "--cases",
      defaultValue = "100000",
      description = "Scans at most. Default: ${DEFAULT-VALUE}")
  private int cases;

  @Option(
      names = "--seconds",
      defaultValue = "60",
      description = "Time for the scans. Default: ${DEFAULT-VALUE}")
  private int seconds;

  @Option(
      names = "--largest-row",
      defaultValue = "3000000",
      description = "Bytes of the largest rows. Default: ${DEFAULT-VALUE}")
  private int largestRow;

  @Option(names = "--seed", description = "Seed of rows and scans. Default: the clock")
  private Long seed;

  @Option(names = "--first", defaultValue = "0", description = "Number of the first scan.")
  private int first;

  @Option(
      names = "--differences",
      defaultValue = "10",
      description = "Differences after which to stop. Default: ${DEFAULT-VALUE}")
  private int differencesMax;

  @Option(names = "--dir", required = true, description = "A fresh directory for the servers.")
  private Path directory;

  private int differences;
  private int refused;
  private long replies;

  /** Runs the comparison. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new ScanDifference()).execute(args));
  }

  @Override
  public Integer call() throws Exception {
    long chance = seed == null ? System.nanoTime() : seed;
    System.out.println("scan difference: seed " + chance);
    try (ScanServer grampus = new ScanServer(ServerKind.GRAMPUS, directory.resolve("grampus"));
        ScanServer hbase = new ScanServer(ServerKind.HBASE, directory.resolve("hbase"))) {
      grampus.start();
      hbase.start();
      grampus.load(chance, largestRow);
      hbase.load(chance, largestRow);
      int run = compareAll(grampus, hbase, chance);
      System.out.printf(
          "scan difference: %d scans, %d of them refused by HBase, %d lines, %d differences%n",
          run, refused, replies, differences);
    }
    return differences == 0 ? 0 : 1;
  }

  private int compareAll(ScanServer grampus, ScanServer hbase, long chance) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    int run = 0;
    while (run < cases && differences < differencesMax && System.nanoTime() < end) {
      int number = first + run++;
      ScanCase scanCase = ScanCase.of(chance, number);
      String name = "scan " + number + " of seed " + chance;
      List<String> theirs = hbase.replies(scanCase);
      if (theirs.stream().anyMatch(line -> line.startsWith(ScanServer.ERROR))) {
        refused++;
        continue;
      }
      compare(name, scanCase, grampus.replies(scanCase), theirs);
      List<TableName> tables =
          scanCase.seesOnlyVisibleCells()
              ? List.of(ScanTable.PLAIN, ScanTable.HIDING)
              : List.of(ScanTable.PLAIN);
      for (TableName table : tables) {
        compare(
            name + " through the client, table " + table,
            scanCase,
            grampus.throughClient(table, scanCase),
            hbase.throughClient(table, scanCase));
      }
    }
    return run;
  }

  private void compare(String name, ScanCase scanCase, List<String> ours, List<String> theirs) {
    replies += theirs.size();
    if (ours.equals(theirs)) {
      return;
    }
    differences++;
    int at = 0;
    while (at < Math.min(ours.size(), theirs.size())
        && Objects.equals(ours.get(at), theirs.get(at))) {
      at++;
    }
    System.out.println("DIFFERENCE in " + name + ", line " + at + ": " + scanCase);
    print("both   ", theirs.subList(Math.max(0, at - CONTEXT), at));
    print("grampus", ours.subList(at, Math.min(ours.size(), at + CONTEXT)));
    print("hbase  ", theirs.subList(at, Math.min(theirs.size(), at + CONTEXT)));
  }

  private static void print(String who, List<String> lines) {
    lines.forEach(line -> System.out.println("  " + who + " " + line));
  }
}

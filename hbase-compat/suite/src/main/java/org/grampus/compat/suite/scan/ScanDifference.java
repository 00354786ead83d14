package org.grampus.compat.suite.scan;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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

  private ScanServer grampus;
  private ScanServer hbase;
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
    try (ScanServer ours = new ScanServer(ServerKind.GRAMPUS, directory.resolve("grampus"));
        ScanServer theirs = new ScanServer(ServerKind.HBASE, directory.resolve("hbase"))) {
      grampus = ours;
      hbase = theirs;
      grampus.start();
      hbase.start();
      grampus.load(chance, largestRow);
      hbase.load(chance, largestRow);
      int run = compareAll(chance);
      System.out.printf(
          "scan difference: %d scans, %d of them refused by HBase, %d lines, %d differences%n",
          run, refused, replies, differences);
    }
    return differences == 0 ? 0 : 1;
  }

  private int compareAll(long chance) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    int run = 0;
    while (run < cases && differences < differencesMax && System.nanoTime() < end) {
      int number = first + run++;
      ScanCase scanCase = ScanCase.of(chance, number);
      String name = "scan " + number + " of seed " + chance;
      if (!compareReplies(ScanTable.PLAIN, name, scanCase)) {
        refused++;
        continue;
      }
      if (scanCase.reachesNoSizeLimit()) {
        compareReplies(ScanTable.MIXED, name, scanCase);
      }
      for (TableName table : tables(scanCase)) {
        compare(
            name + " through the client, table " + table,
            scanCase,
            grampus.throughClient(table, scanCase),
            hbase.throughClient(table, scanCase));
      }
    }
    return run;
  }

  /** The tables on which the stock client must show the same results from both servers. */
  private static List<TableName> tables(ScanCase scanCase) {
    List<TableName> tables = new ArrayList<>(List.of(ScanTable.PLAIN));
    if (scanCase.seesOnlyVisibleCells()) {
      tables.add(ScanTable.HIDING);
    }
    if (scanCase.reachesNoSizeLimit()) {
      tables.add(ScanTable.MIXED);
    }
    return tables;
  }

  /** The replies to a scan; false when HBase refuses it. */
  private boolean compareReplies(TableName table, String name, ScanCase scanCase)
      throws IOException {
    List<String> theirs = hbase.replies(table, scanCase);
    if (theirs.stream().anyMatch(line -> line.startsWith(ScanServer.ERROR))) {
      return false;
    }
    compare(name + ", table " + table, scanCase, grampus.replies(table, scanCase), theirs);
    return true;
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

package org.grampus.perf.moving;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;
import org.grampus.perf.process.Expect;

/** Compares a table of two servers that nobody writes to. For one thread. */
final class Comparison {
  private final Side from;
  private final Side to;
  private int hashings;

  /** Of the server that rows have come from, and that which they have come to. */
  Comparison(Side from, Side to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Compares by HBase's tools, repairs what no pass could see, and compares cell by cell; returns
   * the number of cells.
   *
   * @throws ToolException when anything differs
   */
  int compare(MovingTable moving) throws ToolException, IOException, InterruptedException {
    TableName table = moving.table();
    String hashes = hash(table);
    if (moving.hasPastWrites()) {
      requireDifference(table, synced(table, hashes, true));
      synced(table, hashes, false);
    }
    requireSame(table, synced(table, hashes, true));
    Expect.equal("rows of " + table + " on " + to, rows(from, to, table), rows(to, from, table));
    return cells(moving, !moving.hasPastWrites());
  }

  private static long rows(Side side, Side other, TableName table)
      throws ToolException, IOException, InterruptedException {
    String said = side.run(other, "RowCounter", List.of(table.getNameAsString()));
    return new Counters(said).get("ROWS");
  }

  private String hash(TableName table) throws ToolException, IOException, InterruptedException {
    hashings++;
    String hashes = from.files(table + "-hashes-" + hashings).toUri().toString();
    from.run(
        to,
        "HashTable",
        List.of("--versions=" + Way.ALL_VERSIONS, table.getNameAsString(), hashes));
    return hashes;
  }

  /** What {@code SyncTable} has counted; it writes to the other server unless it runs dry. */
  private Counters synced(TableName table, String hashes, boolean dry)
      throws ToolException, IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add("--dryrun=" + dry);
    arguments.add("--sourcezkcluster=" + from.clusterKey());
    arguments.addAll(List.of(hashes, table.getNameAsString(), table.getNameAsString()));
    return new Counters(to.run(from, "SyncTable", arguments));
  }

  /** Fails unless all hashes are the same, and there are some. */
  static void requireSame(TableName table, Counters counted) throws ToolException {
    long batches = counted.get("BATCHES");
    if (batches == 0 || counted.get("HASHES_MATCHED") != batches) {
      throw new ToolException(
          "SyncTable of "
              + table
              + " finds "
              + counted.get("HASHES_NOT_MATCHED")
              + " differences in "
              + batches
              + " batches");
    }
  }

  /** A comparison that finds nothing here is blind. */
  static void requireDifference(TableName table, Counters counted) throws ToolException {
    if (counted.get("HASHES_NOT_MATCHED") == 0) {
      throw new ToolException(
          "SyncTable of " + table + " finds nothing, though no pass could see what was written");
    }
  }

  /**
   * Compares cell by cell what a client sees; returns how many cells that are.
   *
   * @param raw with hidden cells and markers, too
   */
  int cells(MovingTable moving, boolean raw) throws ToolException, IOException {
    if (raw) {
      requireSameCells(moving.table(), true);
    }
    return requireSameCells(moving.table(), false);
  }

  private int requireSameCells(TableName table, boolean raw) throws ToolException, IOException {
    List<String> cells = Cells.of(from, table, raw);
    Cells.requireSame(
        (raw ? "raw cells of " : "cells of ") + table,
        from.toString(),
        cells,
        to.toString(),
        Cells.of(to, table, raw));
    return cells.size();
  }
}

package org.grampus.perf.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Counters;

/**
 * {@code HashTable} on the source, and {@code SyncTable} on the target with its hashes, as often as
 * the source's table stays as it is. For one thread.
 */
final class SyncTableRun {
  private final Side source;
  private final Side target;
  private final TableName table;
  private final String hashes;

  private SyncTableRun(Side source, Side target, TableName table, String hashes) {
    this.source = source;
    this.target = target;
    this.table = table;
    this.hashes = hashes;
  }

  /**
   * Hashes the source's table.
   *
   * @param name of this run, for the files of the hashes
   */
  static SyncTableRun hash(Side source, Side target, TableName table, String name)
      throws ToolException, IOException, InterruptedException {
    String hashes = source.files(table + "-hashes-" + name).toUri().toString();
    String versions = "--versions=" + HBaseTools.ALL_VERSIONS;
    source.run(target, "HashTable", List.of(versions, table.getNameAsString(), hashes));
    return new SyncTableRun(source, target, table, hashes);
  }

  TableName table() {
    return table;
  }

  /** Compares, and writes nothing. */
  Counters compare() throws ToolException, IOException, InterruptedException {
    return sync(true);
  }

  /** Writes to the target what differs. */
  Counters repair() throws ToolException, IOException, InterruptedException {
    return sync(false);
  }

  private Counters sync(boolean dry) throws ToolException, IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    arguments.add("--dryrun=" + dry);
    arguments.add("--sourcezkcluster=" + source.clusterKey());
    arguments.addAll(List.of(hashes, table.getNameAsString(), table.getNameAsString()));
    return new Counters(target.run(source, "SyncTable", arguments));
  }

  /** Whether all hashes are the same, and there are some. */
  static boolean isSame(Counters counted) {
    long batches = counted.get("BATCHES");
    return batches > 0 && counted.get("HASHES_MATCHED") == batches;
  }

  /** Cells that one side alone has, or that have other values. */
  static long differentCells(Counters counted) {
    return counted.get("SOURCEMISSINGCELLS")
        + counted.get("TARGETMISSINGCELLS")
        + counted.get("DIFFERENTCELLVALUES");
  }

  /** Fails unless all hashes are the same, and there are some. */
  static void requireSame(TableName table, Counters counted) throws ToolException {
    if (!isSame(counted)) {
      throw new ToolException(
          "SyncTable of "
              + table
              + " finds "
              + counted.get("HASHES_NOT_MATCHED")
              + " differences in "
              + counted.get("BATCHES")
              + " batches, and "
              + differentCells(counted)
              + " different cells");
    }
  }

  /** A comparison that finds nothing where something must differ does not compare. */
  static void requireDifference(TableName table, Counters counted) throws ToolException {
    if (differentCells(counted) == 0) {
      throw new ToolException(
          "SyncTable of " + table + " finds nothing, though no pass could see what was written");
    }
  }
}

package org.grampus.mapreduce.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;

/** Keys that a job has set and that do nothing, each with a sentence. */
final class IgnoredKeys {
  /** Rows between two lines of the log of HBase's reader. */
  private static final String ROW_COUNT_KEY = "hbase.mapreduce.log.scanner.rowcount";

  private static final String NO_CALLS = "a snapshot's files are read without calls to servers";

  /** What concerns the servers, or is done in another way here. */
  private static final Map<String, String> OF_SNAPSHOTS =
      Map.of(
          TableInputFormat.SCAN_CACHEDROWS,
          NO_CALLS,
          TableInputFormat.SCAN_CACHEBLOCKS,
          NO_CALLS,
          ScanKeys.MAX_RESULT_SIZE,
          NO_CALLS,
          TableInputFormatBase.NUM_MAPPERS_PER_REGION,
          "of a snapshot, hbase.mapreduce.splits.per.region counts",
          TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE,
          "splits of a snapshot have equal bytes; see grampus.mapreduce.split.bytes",
          "hbase.mapreduce.split.algorithm",
          "splits are cut where the files say that bytes are",
          "hbase.TableSnapshotInputFormat.locality.by.region.location",
          "hosts are those of the files' blocks",
          "hbase.TableSnapshotInputFormat.scanner.readtype",
          "files are always read in large parts",
          "hbase.TableSnapshotInputFormat.scan_metrics.enabled",
          "counters are always kept");

  private static final Map<String, String> OF_TABLES =
      Map.of(
          "hbase.mapreduce.splits.per.region",
          "of a table, " + TableInputFormatBase.NUM_MAPPERS_PER_REGION + " counts");

  private IgnoredKeys() {}

  /** A sentence for each key without effect. */
  static List<String> sentences(Configuration conf, ReaderKind reader) {
    List<String> sentences = new ArrayList<>();
    for (String key : conf.getPropsWithPrefix(ScanKeys.PREFIX).keySet()) {
      String full = ScanKeys.PREFIX + key;
      if (!ScanKeys.KNOWN.contains(full)) {
        sentences.add(full + " has no effect: there is no such key");
      }
    }
    addIfSet(conf, ROW_COUNT_KEY, "the counters of the task say how it goes on", sentences);
    boolean table = reader == ReaderKind.TABLE;
    (table ? OF_TABLES : OF_SNAPSHOTS)
        .forEach((key, reason) -> addIfSet(conf, key, reason, sentences));
    if (!table) {
      addIfGiven(conf, ScanKeys.CLIENT_CACHING, sentences);
      addIfGiven(conf, ScanKeys.CLIENT_MAX_RESULT_SIZE, sentences);
    }
    boolean range =
        conf.get(TableInputFormat.SCAN_TIMERANGE_START) != null
            || conf.get(TableInputFormat.SCAN_TIMERANGE_END) != null;
    if (range) {
      addIfSet(conf, TableInputFormat.SCAN_TIMESTAMP, "a time range is set too", sentences);
    }
    sentences.sort(null);
    return sentences;
  }

  private static void addIfSet(
      Configuration conf, String key, String reason, List<String> sentences) {
    if (conf.get(key) != null) {
      sentences.add(key + " has no effect: " + reason);
    }
  }

  /** A client's key has a value in every installation: only one from the command line is meant. */
  private static void addIfGiven(Configuration conf, String key, List<String> sentences) {
    if (Origin.of(conf, key) == Origin.COMMAND_LINE) {
      sentences.add(key + " has no effect: " + NO_CALLS);
    }
  }
}

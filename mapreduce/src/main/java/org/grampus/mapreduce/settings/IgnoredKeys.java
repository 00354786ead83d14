package org.grampus.mapreduce.settings;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormatBase;

/** Keys that a job has set and that do nothing, each with a sentence. */
final class IgnoredKeys {
  /** Rows between two lines of the log of HBase's reader. */
  private static final String ROW_COUNT_KEY = "hbase.mapreduce.log.scanner.rowcount";

  static final String OF_HBASES_SNAPSHOTS = "hbase.TableSnapshotInputFormat.";

  static final String SNAPSHOT_NAME = OF_HBASES_SNAPSHOTS + "snapshot.name";

  /** What HBase's format of snapshots knows, with or without an effect here. */
  private static final Set<String> KNOWN_OF_SNAPSHOTS =
      Set.of(
          SNAPSHOT_NAME,
          OF_HBASES_SNAPSHOTS + "restore.dir",
          ScanKeys.LOCALITY,
          OF_HBASES_SNAPSHOTS + "locality.by.region.location",
          OF_HBASES_SNAPSHOTS + "scanner.readtype",
          OF_HBASES_SNAPSHOTS + "scan_metrics.enabled",
          ScanSettings.ROW_LIMIT);

  private static final String NO_SUCH_KEY = "there is no such key";
  private static final String A_SNAPSHOTS =
      "it is of jobs over snapshots, and this one reads a table";
  private static final String NO_CALLS = "a snapshot's files are read without calls to servers";

  /** What concerns the servers, or is done in another way here. */
  private static final Map<String, String> OF_SNAPSHOTS =
      Map.ofEntries(
          Map.entry(TableInputFormat.SCAN_CACHEDROWS, NO_CALLS),
          Map.entry(TableInputFormat.SCAN_CACHEBLOCKS, NO_CALLS),
          Map.entry(ScanKeys.MAX_RESULT_SIZE, NO_CALLS),
          Map.entry(
              TableInputFormatBase.NUM_MAPPERS_PER_REGION,
              "of a snapshot, hbase.mapreduce.splits.per.region counts"),
          Map.entry(
              TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE,
              "splits of a snapshot have equal bytes; see " + JobKeys.SPLIT_BYTES),
          Map.entry(JobKeys.SPLITS_BY_BYTES, "files say where their bytes are"),
          Map.entry(TableInputFormat.SHUFFLE_MAPS, "splits of a snapshot stay in their order"),
          Map.entry(
              "hbase.mapreduce.split.algorithm",
              "splits are cut where the files say that bytes are"),
          Map.entry(
              OF_HBASES_SNAPSHOTS + "locality.by.region.location",
              "hosts are those of the files' blocks"),
          Map.entry(
              OF_HBASES_SNAPSHOTS + "scanner.readtype", "files are always read in large parts"),
          Map.entry(OF_HBASES_SNAPSHOTS + "scan_metrics.enabled", "counters are always kept"));

  private static final Map<String, String> OF_TABLES =
      Map.of(
          ScanKeys.SPLITS_PER_REGION,
          "of a table, " + TableInputFormatBase.NUM_MAPPERS_PER_REGION + " counts");

  private IgnoredKeys() {}

  /** A sentence for each key without effect. */
  static List<String> sentences(Configuration conf, ReaderKind reader) {
    List<String> sentences = new ArrayList<>();
    addUnknown(conf, ScanKeys.PREFIX, ScanKeys.KNOWN::contains, NO_SUCH_KEY, sentences);
    addUnknown(conf, JobKeys.PREFIX, JobKeys::isKnown, NO_SUCH_KEY, sentences);
    addIfSet(conf, ROW_COUNT_KEY, "the counters of the task say how it goes on", sentences);
    boolean table = reader == ReaderKind.TABLE;
    (table ? OF_TABLES : OF_SNAPSHOTS)
        .forEach((key, reason) -> addIfSet(conf, key, reason, sentences));
    if (table) {
      JobKeys.OF_SNAPSHOTS.forEach(key -> addIfSet(conf, key, A_SNAPSHOTS, sentences));
      addUnknown(conf, OF_HBASES_SNAPSHOTS, key -> false, A_SNAPSHOTS, sentences);
    } else {
      addUnknown(conf, OF_HBASES_SNAPSHOTS, KNOWN_OF_SNAPSHOTS::contains, NO_SUCH_KEY, sentences);
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

  /** Adds those below a prefix that are not known. */
  private static void addUnknown(
      Configuration conf,
      String prefix,
      Predicate<String> known,
      String reason,
      List<String> sentences) {
    for (String key : conf.getPropsWithPrefix(prefix).keySet()) {
      if (!known.test(prefix + key)) {
        sentences.add(prefix + key + " has no effect: " + reason);
      }
    }
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

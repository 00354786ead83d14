package org.grampus.mapreduce.settings;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;

/** Keys that a job has set and that do nothing, each with a sentence. */
public final class IgnoredKeys {
  /** What HBase's format of snapshots knows, with or without an effect here. */
  private static final Set<String> KNOWN_OF_SNAPSHOTS =
      Set.of(
          HBaseKeys.SNAPSHOT_NAME,
          HBaseKeys.RESTORE_DIR,
          HBaseKeys.LOCALITY,
          HBaseKeys.LOCALITY_BY_REGION,
          HBaseKeys.READ_TYPE,
          HBaseKeys.SCAN_METRICS,
          HBaseKeys.ROW_LIMIT);

  private static final String NO_SUCH_KEY = "there is no such key";
  static final String NO_SNAPSHOT = "it is of jobs over snapshots, and this one reads a table";
  private static final String NO_TABLE = "it is of jobs that read a table, and this one does not";

  private final Configuration conf;
  private final ReaderKind reader;
  private final Map<String, String> reasons = new TreeMap<>();

  private IgnoredKeys(Configuration conf, ReaderKind reader) {
    this.conf = conf;
    this.reader = reader;
  }

  /** A sentence for each key without effect, by the order of keys. */
  public static List<String> sentences(Configuration conf, ReaderKind reader) {
    IgnoredKeys ignored = new IgnoredKeys(conf, reader);
    if (reader == ReaderKind.FILES) {
      ignored.ofFiles();
    } else {
      ignored.unknown();
      ignored.losing();
    }
    return ignored.reasons.entrySet().stream()
        .map(entry -> entry.getKey() + " has no effect: " + entry.getValue())
        .toList();
  }

  private void unknown() {
    add(ScanKeys.PREFIX, key -> !ScanKeys.KNOWN.contains(key), NO_SUCH_KEY);
    add(JobKeys.PREFIX, key -> !KnownKeys.isKnown(key), NO_SUCH_KEY);
    if (reader.ofTable()) {
      add(HBaseKeys.SNAPSHOT_PREFIX, key -> true, NO_SNAPSHOT);
    } else {
      add(HBaseKeys.SNAPSHOT_PREFIX, key -> !KNOWN_OF_SNAPSHOTS.contains(key), NO_SUCH_KEY);
    }
  }

  private void losing() {
    Precedence precedence = new Precedence(conf);
    for (LosingKeys.Rule rule : LosingKeys.rules()) {
      boolean lost =
          conf.get(rule.key()) != null && rule.of().test(reader) && rule.lost().test(precedence);
      if (lost) {
        reasons.putIfAbsent(rule.key(), rule.reason());
      }
    }
  }

  /** A file of the installation is for all jobs, and these keys are none of a job over files. */
  private void ofFiles() {
    Predicate<String> given =
        key -> !KnownKeys.isInternal(key) && Origin.of(conf, key) == Origin.COMMAND_LINE;
    Predicate<String> known =
        key ->
            ScanKeys.KNOWN.contains(key)
                || KnownKeys.isKnown(key)
                || KNOWN_OF_SNAPSHOTS.contains(key);
    for (String prefix : List.of(ScanKeys.PREFIX, JobKeys.PREFIX, HBaseKeys.SNAPSHOT_PREFIX)) {
      add(prefix, given.and(known), NO_TABLE);
      add(prefix, given.and(known.negate()), NO_SUCH_KEY);
    }
  }

  /** Adds those below a prefix that are meant. */
  private void add(String prefix, Predicate<String> meant, String reason) {
    conf.getPropsWithPrefix(prefix).keySet().stream()
        .map(prefix::concat)
        .filter(meant)
        .forEach(key -> reasons.putIfAbsent(key, reason));
  }
}

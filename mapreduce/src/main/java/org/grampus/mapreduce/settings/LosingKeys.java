package org.grampus.mapreduce.settings;

import static org.apache.hadoop.hbase.mapreduce.TableInputFormatBase.MAPREDUCE_INPUT_AUTOBALANCE;
import static org.apache.hadoop.hbase.mapreduce.TableInputFormatBase.MAX_AVERAGE_REGION_SIZE;
import static org.apache.hadoop.hbase.mapreduce.TableInputFormatBase.NUM_MAPPERS_PER_REGION;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.MultiTableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.grampus.mapreduce.keys.JobKeys;

/** What each key loses against: another key, the Scan, or the kind of the job. */
final class LosingKeys {
  /**
   * A key without effect.
   *
   * @param key that is set
   * @param of the kinds of jobs in which it loses
   * @param lost whether it loses, by what else is set
   * @param reason why, without the key
   */
  record Rule(String key, Predicate<ReaderKind> of, Predicate<Precedence> lost, String reason) {}

  private static final Predicate<ReaderKind> TABLES = ReaderKind::ofTable;
  private static final Predicate<ReaderKind> SNAPSHOTS = ReaderKind::ofSnapshot;
  private static final Predicate<ReaderKind> JOBS = TABLES.or(SNAPSHOTS);
  private static final Predicate<ReaderKind> OLD_API = ReaderKind.TABLE_OF_OLD_API::equals;

  private static final String NO_CALLS = "a snapshot's files are read without calls to servers";
  private static final String EQUAL_BYTES = "splits of a snapshot have equal bytes";
  private static final String NO_SIZES =
      HBaseKeys.REGION_SIZES + " is false, so that no sizes of regions are known";

  private static final List<String> GOALS =
      List.of(JobKeys.SPLITS, JobKeys.SPLIT_BYTES, JobKeys.SPLITS_PER_SERVER);

  /** Keys of the client that have a value in every installation: one from there is not meant. */
  private static final List<String> OF_CLIENT =
      List.of(
          ScanKeys.CLIENT_CACHING,
          ScanKeys.CLIENT_MAX_RESULT_SIZE,
          HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD,
          Scan.HBASE_CLIENT_SCANNER_ASYNC_PREFETCH,
          HBaseKeys.REGION_SIZES);

  private final List<Rule> rules = new ArrayList<>();

  private LosingKeys() {
    splits();
    scans();
    calls();
    snapshots();
    oldApi();
  }

  /** The rules; of several that hold for a key the first says why. */
  static List<Rule> rules() {
    return List.copyOf(new LosingKeys().rules);
  }

  private void add(
      String key, Predicate<ReaderKind> of, Predicate<Precedence> lost, String reason) {
    rules.add(new Rule(key, of, lost, reason));
  }

  /** A key that always loses in jobs of a kind. */
  private void add(String key, Predicate<ReaderKind> of, String reason) {
    add(key, of, precedence -> true, reason);
  }

  /** A key that loses where another one is set. */
  private void beaten(String key, Predicate<ReaderKind> of, String by) {
    add(key, of, isSet(by), by + " goes before it");
  }

  private static Predicate<Precedence> isSet(String key) {
    return precedence -> precedence.conf().get(key) != null;
  }

  private static Predicate<Precedence> isTrue(String key, boolean otherwise) {
    return precedence -> CheckedValues.bool(precedence.conf(), key, otherwise);
  }

  private static Predicate<Precedence> isOfCommandLine(String key) {
    return precedence -> precedence.of(key) == Origin.COMMAND_LINE;
  }

  private void splits() {
    String ofSnapshots = HBaseKeys.SPLITS_PER_REGION;
    add(NUM_MAPPERS_PER_REGION, SNAPSHOTS, "of a snapshot, " + ofSnapshots + " counts");
    add(ofSnapshots, TABLES, "of a table, " + NUM_MAPPERS_PER_REGION + " counts");
    add(MAPREDUCE_INPUT_AUTOBALANCE, SNAPSHOTS, EQUAL_BYTES);
    add(MAX_AVERAGE_REGION_SIZE, SNAPSHOTS, EQUAL_BYTES);
    for (String goal : GOALS) {
      beaten(NUM_MAPPERS_PER_REGION, TABLES, goal);
      beaten(ofSnapshots, SNAPSHOTS, goal);
      beaten(MAPREDUCE_INPUT_AUTOBALANCE, TABLES, goal);
      beaten(MAX_AVERAGE_REGION_SIZE, TABLES, goal);
    }
    beaten(MAPREDUCE_INPUT_AUTOBALANCE, TABLES, NUM_MAPPERS_PER_REGION);
    beaten(MAX_AVERAGE_REGION_SIZE, TABLES, NUM_MAPPERS_PER_REGION);
    Predicate<Precedence> balanced = isTrue(MAPREDUCE_INPUT_AUTOBALANCE, false);
    add(
        MAX_AVERAGE_REGION_SIZE,
        TABLES,
        balanced.negate(),
        "it is a bound of " + MAPREDUCE_INPUT_AUTOBALANCE + ", which is not true");
    Predicate<Precedence> noSizes = isTrue(HBaseKeys.REGION_SIZES, true).negate();
    add(JobKeys.SPLIT_BYTES, TABLES, noSizes, NO_SIZES);
    add(MAPREDUCE_INPUT_AUTOBALANCE, TABLES, balanced.and(noSizes), NO_SIZES);
    add(
        MRJobConfig.NUM_MAPS,
        JOBS.and(OLD_API.negate()),
        isOfCommandLine(MRJobConfig.NUM_MAPS),
        "the splits are as many as " + JobKeys.SPLITS + " or another key of splits says");
    add(JobKeys.SPLITS_BY_BYTES, SNAPSHOTS, "files say where their bytes are");
    add(HBaseKeys.SPLIT_ALGORITHM, JOBS, "splits are cut where the bytes are, or evenly by keys");
  }

  private void scans() {
    String start = TableInputFormat.SCAN_TIMERANGE_START;
    String end = TableInputFormat.SCAN_TIMERANGE_END;
    add(
        TableInputFormat.SCAN_TIMESTAMP,
        JOBS,
        precedence -> precedence.wins(start) || precedence.wins(end),
        "a time range is set too");
    add(ScanKeys.COLUMN_LIST, JOBS, Precedence::hasScan, "the job's Scan says the columns");
    add(MultiTableInputFormat.SCANS, JOBS, "the format reads one table or snapshot");
    add(HBaseKeys.SCANNER_ROW_COUNT, JOBS, "the counters of the task say how it goes on");
  }

  private void calls() {
    add(TableInputFormat.SCAN_CACHEDROWS, SNAPSHOTS, NO_CALLS);
    add(TableInputFormat.SCAN_CACHEBLOCKS, SNAPSHOTS, NO_CALLS);
    add(JobKeys.SCAN_MAX_RESULT_SIZE, SNAPSHOTS, NO_CALLS);
    OF_CLIENT.forEach(key -> add(key, SNAPSHOTS, isOfCommandLine(key), NO_CALLS));
    sizeOfCall(ScanKeys.CLIENT_CACHING, TableInputFormat.SCAN_CACHEDROWS);
    sizeOfCall(ScanKeys.CLIENT_MAX_RESULT_SIZE, JobKeys.SCAN_MAX_RESULT_SIZE);
    for (String key : ScanKeys.OF_SCAN) {
      add(
          key,
          JOBS,
          precedence -> precedence.of(key) == Origin.SITE && precedence.hasScan(),
          "the job's Scan goes before files of the installation");
    }
  }

  private void sizeOfCall(String clientKey, String jobKey) {
    add(
        jobKey,
        TABLES,
        precedence -> precedence.clientWins(clientKey, jobKey),
        clientKey + " of the command line goes before it");
    add(
        clientKey,
        TABLES,
        isOfCommandLine(clientKey).and(isOfCommandLine(jobKey)),
        jobKey + " goes before it");
  }

  private void snapshots() {
    KnownKeys.OF_SNAPSHOTS.forEach(key -> add(key, TABLES, IgnoredKeys.NO_SNAPSHOT));
    add(HBaseKeys.LOCALITY_CUTOFF, TABLES, IgnoredKeys.NO_SNAPSHOT);
    add(
        HBaseKeys.LOCALITY_CUTOFF,
        SNAPSHOTS,
        isTrue(HBaseKeys.LOCALITY, true).negate(),
        HBaseKeys.LOCALITY + " is false");
    add(
        JobKeys.BATCHES_COLUMNS,
        ReaderKind.SNAPSHOT::equals,
        "it is of BatchInputFormat, and this reader has other columns");
    add(
        JobKeys.SNAPSHOT_TTL,
        SNAPSHOTS,
        isSet(JobKeys.SNAPSHOT_TABLE).or(LosingKeys::hasOwnSnapshot).negate(),
        "the snapshot was taken before, and has the time to live that it was given then");
    add(HBaseKeys.RESTORE_DIR, SNAPSHOTS, "nothing is restored");
    add(HBaseKeys.LOCALITY_BY_REGION, SNAPSHOTS, "hosts are those of the files' blocks");
    add(HBaseKeys.READ_TYPE, SNAPSHOTS, "files are always read in large parts");
    add(HBaseKeys.SCAN_METRICS, SNAPSHOTS, "counters are always kept");
    add(TableInputFormat.SHUFFLE_MAPS, SNAPSHOTS, "splits of a snapshot stay in their order");
    add(HBaseKeys.SPLITTABLE, SNAPSHOTS, "splits of a snapshot are those of its own regions");
  }

  private static boolean hasOwnSnapshot(Precedence precedence) {
    String named = precedence.conf().get(HBaseKeys.SNAPSHOT_NAME);
    return named == null || named.equals(precedence.conf().get(JobKeys.SNAPSHOT_OWN));
  }

  private void oldApi() {
    String order = "splits of the old API stay in their order";
    add(TableInputFormat.SHUFFLE_MAPS, OLD_API, order);
    add(
        HBaseKeys.SPLITTABLE,
        OLD_API,
        "splits of the old API are those of the table's own regions");
    add(
        TableInputFormat.INPUT_TABLE,
        OLD_API,
        isSet(FileInputFormat.INPUT_DIR),
        "the job's input path names the table");
    for (String goal :
        List.of(
            JobKeys.SPLITS,
            JobKeys.SPLIT_BYTES,
            JobKeys.SPLITS_PER_SERVER,
            NUM_MAPPERS_PER_REGION,
            MAPREDUCE_INPUT_AUTOBALANCE)) {
      add(
          MRJobConfig.NUM_MAPS,
          OLD_API,
          isOfCommandLine(MRJobConfig.NUM_MAPS).and(isSet(goal)),
          goal + " goes before it");
    }
  }
}

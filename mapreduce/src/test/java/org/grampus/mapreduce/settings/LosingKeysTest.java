package org.grampus.mapreduce.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.util.GenericOptionsParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each key that the page of jobs names says when it has no effect. */
class LosingKeysTest {
  private static final Path PAGE = Path.of("..", "docs", "mapreduce.md");

  /** A key, in the order of the page, as it stands in backticks. */
  private static final Pattern KEY =
      Pattern.compile("`((?:hbase|grampus\\.mapreduce|mapreduce)\\.[\\w.-]*\\w)`");

  private static final String SCAN = "hbase.mapreduce.scan";
  private static final String SNAPSHOTS = "hbase.TableSnapshotInputFormat.";
  private static final String LOCALITY = SNAPSHOTS + "locality.enabled";
  private static final String BALANCE = "hbase.mapreduce.tif.input.autobalance";
  private static final String PER_REGION = "hbase.mapreduce.tableinput.mappers.per.region";
  private static final String SIZES = "hbase.regionsizecalculator.enable";
  private static final String CACHING = "hbase.client.scanner.caching";
  private static final String SIZE = "hbase.client.scanner.max.result.size";

  /** Where the value of a key is set. */
  private enum Place {
    JOB,
    COMMAND_LINE,
    SITE
  }

  /**
   * A key that loses, or, without a reason, one that counts.
   *
   * @param beside other keys of the job
   */
  record Case(
      String key,
      String value,
      Place place,
      ReaderKind of,
      Map<String, String> beside,
      String why) {
    /** In a job that has another key as well. */
    Case beside(String other, String otherValue) {
      Map<String, String> more = new LinkedHashMap<>(beside);
      more.put(other, otherValue);
      return new Case(key, value, place, of, more, why);
    }

    @Override
    public String toString() {
      return key + " of " + of + " beside " + beside.keySet();
    }
  }

  private static Case loses(String key, String value, ReaderKind of, String why) {
    return new Case(key, value, Place.JOB, of, Map.of(), why);
  }

  private static Case ofCommandLine(String key, String value, ReaderKind of, String why) {
    return new Case(key, value, Place.COMMAND_LINE, of, Map.of(), why);
  }

  private static Case ofSite(String key, String value) {
    return new Case(key, value, Place.SITE, ReaderKind.TABLE, Map.of(), "the job's Scan goes")
        .beside(SCAN, "");
  }

  private static Case counts(String key, String value, ReaderKind of) {
    return new Case(key, value, Place.JOB, of, Map.of(), null);
  }

  static Stream<Case> cases() {
    return Stream.of(splits(), scans(), calls(), snapshots(), oldApi(), counting())
        .flatMap(List::stream);
  }

  private static List<Case> splits() {
    String beaten = " goes before it";
    String splits = "grampus.mapreduce.splits";
    String perServer = "grampus.mapreduce.splits.per.server";
    String bytes = "grampus.mapreduce.split.bytes";
    String ofSnapshots = "hbase.mapreduce.splits.per.region";
    String average = "hbase.mapreduce.tif.ave.regionsize";
    return List.of(
        ofCommandLine(splits, "2", ReaderKind.FILES, "it is of jobs that read a table"),
        loses(bytes, "1m", ReaderKind.TABLE, SIZES + " is false").beside(SIZES, "false"),
        counts(perServer, "2", ReaderKind.SNAPSHOT).beside(LOCALITY, "false"),
        loses(PER_REGION, "2", ReaderKind.TABLE, splits + beaten).beside(splits, "2"),
        loses(PER_REGION, "2", ReaderKind.TABLE, bytes + beaten).beside(bytes, "2"),
        loses(PER_REGION, "2", ReaderKind.SNAPSHOT, "of a snapshot, " + ofSnapshots + " counts"),
        loses(ofSnapshots, "2", ReaderKind.SNAPSHOT, perServer + beaten).beside(perServer, "2"),
        loses(ofSnapshots, "2", ReaderKind.TABLE, "of a table, " + PER_REGION + " counts"),
        loses(BALANCE, "true", ReaderKind.TABLE, perServer + beaten).beside(perServer, "2"),
        loses(BALANCE, "true", ReaderKind.TABLE, PER_REGION + beaten).beside(PER_REGION, "2"),
        loses(BALANCE, "true", ReaderKind.TABLE, SIZES + " is false").beside(SIZES, "false"),
        loses(BALANCE, "true", ReaderKind.SNAPSHOT, "splits of a snapshot have equal bytes"),
        loses(average, "9", ReaderKind.TABLE, "it is a bound of " + BALANCE),
        loses(average, "9", ReaderKind.TABLE, splits + beaten)
            .beside(BALANCE, "true")
            .beside(splits, "2"),
        loses("grampus.mapreduce.splits.by.bytes", "true", ReaderKind.BATCHES, "files say where"),
        loses("hbase.mapreduce.split.algorithm", "a.B", ReaderKind.TABLE, "splits are cut where"),
        ofCommandLine("mapreduce.job.maps", "4", ReaderKind.TABLE, "the splits are as many as"),
        ofCommandLine(
            SIZES, "true", ReaderKind.SNAPSHOT, "a snapshot's files are read without calls"));
  }

  private static List<Case> scans() {
    return List.of(
        ofSite(SCAN + ".row.start", "a"),
        ofSite(SCAN + ".row.stop", "a"),
        ofSite(SCAN + ".columns", "f:q"),
        ofSite(SCAN + ".column.family", "f"),
        ofSite(SCAN + ".timerange.start", "1"),
        ofSite(SCAN + ".timerange.end", "1"),
        ofSite(SCAN + ".timestamp", "1"),
        ofSite(SCAN + ".maxversions", "1"),
        ofSite(SCAN + ".batchsize", "1"),
        ofSite(SCAN + ".cacheblocks", "true"),
        ofSite(SCAN + ".cachedrows", "1"),
        ofSite("grampus.mapreduce.scan.filter", "PageFilter(1)"),
        ofSite("grampus.mapreduce.scan.max.result.size", "1"),
        loses(SCAN + ".timestamp", "1", ReaderKind.TABLE, "a time range is set too")
            .beside(SCAN + ".timerange.end", "5"),
        loses("hbase.mapred.tablecolumns", "f", ReaderKind.TABLE, "the job's Scan says the columns")
            .beside(SCAN, ""),
        loses("hbase.mapreduce.scans", "x", ReaderKind.SNAPSHOT, "the format reads one table"),
        loses("hbase.mapreduce.log.scanner.rowcount", "1", ReaderKind.TABLE, "the counters"));
  }

  private static List<Case> calls() {
    String rows = SCAN + ".cachedrows";
    String bytes = "grampus.mapreduce.scan.max.result.size";
    String noCalls = "a snapshot's files are read without calls to servers";
    return List.of(
        loses(rows, "1", ReaderKind.TABLE, CACHING + " of the command line goes before it")
            .beside("-D" + CACHING, "5"),
        loses(bytes, "1", ReaderKind.TABLE, SIZE + " of the command line goes before it")
            .beside("-D" + SIZE, "5"),
        ofCommandLine(CACHING, "5", ReaderKind.TABLE, rows + " goes before it")
            .beside("-D" + rows, "6"),
        ofCommandLine(SIZE, "5", ReaderKind.TABLE, bytes + " goes before it")
            .beside("-D" + bytes, "6"),
        loses(rows, "1", ReaderKind.SNAPSHOT, noCalls),
        loses(bytes, "1", ReaderKind.SNAPSHOT, noCalls),
        loses(SCAN + ".cacheblocks", "true", ReaderKind.BATCHES, noCalls),
        ofCommandLine(CACHING, "5", ReaderKind.SNAPSHOT, noCalls),
        ofCommandLine(SIZE, "5", ReaderKind.SNAPSHOT, noCalls),
        ofCommandLine("hbase.client.scanner.timeout.period", "9", ReaderKind.SNAPSHOT, noCalls),
        ofCommandLine("hbase.client.scanner.async.prefetch", "true", ReaderKind.BATCHES, noCalls));
  }

  private static List<Case> snapshots() {
    String ofSnapshots = "it is of jobs over snapshots";
    String name = SNAPSHOTS + "snapshot.name";
    String limit = SNAPSHOTS + "row.limit.per.inputsplit";
    String ttl = "grampus.mapreduce.snapshot.ttl.seconds";
    String cutoff = "hbase.tablesnapshotinputformat.locality.cutoff.multiplier";
    String columns = "grampus.mapreduce.batches.columns";
    return List.of(
        loses(name, "s", ReaderKind.TABLE, ofSnapshots),
        loses(limit, "1", ReaderKind.TABLE, ofSnapshots),
        loses(LOCALITY, "true", ReaderKind.TABLE, ofSnapshots),
        loses(cutoff, "0.5", ReaderKind.TABLE, ofSnapshots),
        loses(cutoff, "0.5", ReaderKind.SNAPSHOT, LOCALITY + " is false").beside(LOCALITY, "false"),
        loses(columns, "f:q", ReaderKind.TABLE, ofSnapshots),
        loses(columns, "f:q", ReaderKind.SNAPSHOT, "it is of BatchInputFormat"),
        counts(columns, "f:q", ReaderKind.BATCHES),
        loses(ttl, "9", ReaderKind.TABLE, ofSnapshots),
        loses(ttl, "9", ReaderKind.SNAPSHOT, "the snapshot was taken before").beside(name, "s"),
        counts(ttl, "9", ReaderKind.SNAPSHOT).beside("grampus.mapreduce.snapshot.table", "t"),
        counts(ttl, "9", ReaderKind.SNAPSHOT)
            .beside(name, "s")
            .beside("grampus.mapreduce.snapshot.own", "s"),
        loses("grampus.mapreduce.snapshot.table", "t", ReaderKind.TABLE, ofSnapshots),
        loses("grampus.mapreduce.snapshot.own", "t", ReaderKind.TABLE, ofSnapshots),
        loses("grampus.mapreduce.snapshot.cache.bytes", "1m", ReaderKind.TABLE, ofSnapshots),
        loses("grampus.mapreduce.snapshot.readahead.bytes", "1m", ReaderKind.TABLE, ofSnapshots),
        loses(SNAPSHOTS + "restore.dir", "/r", ReaderKind.SNAPSHOT, "nothing is restored"),
        loses(SNAPSHOTS + "scanner.readtype", "PREAD", ReaderKind.SNAPSHOT, "files are always"),
        loses(SNAPSHOTS + "scan_metrics.enabled", "true", ReaderKind.BATCHES, "counters are"),
        loses(
            SNAPSHOTS + "locality.by.region.location",
            "true",
            ReaderKind.SNAPSHOT,
            "hosts are those of the files' blocks"),
        loses("hbase.mapreduce.splittable", "u", ReaderKind.SNAPSHOT, "splits of a snapshot are"),
        loses(
            "hbase.mapreduce.inputtable.shufflemaps",
            "true",
            ReaderKind.SNAPSHOT,
            "splits of a snapshot stay in their order"));
  }

  private static List<Case> oldApi() {
    ReaderKind old = ReaderKind.TABLE_OF_OLD_API;
    return List.of(
        loses("hbase.mapreduce.inputtable.shufflemaps", "true", old, "splits of the old API stay"),
        loses("hbase.mapreduce.splittable", "u", old, "splits of the old API are"),
        loses("hbase.mapreduce.inputtable", "t", old, "the job's input path names the table")
            .beside("mapreduce.input.fileinputformat.inputdir", "t"),
        ofCommandLine("mapreduce.job.maps", "4", old, "grampus.mapreduce.splits goes before it")
            .beside("grampus.mapreduce.splits", "2"));
  }

  private static List<Case> counting() {
    return List.of(
        counts("mapreduce.job.end-notification.url", "http://scheduler/", ReaderKind.SNAPSHOT),
        counts("hbase.rootdir", "file:///h", ReaderKind.SNAPSHOT),
        counts("hbase.hregion.max.filesize", "9", ReaderKind.TABLE),
        counts("hbase.mapreduce.bulkload.max.hfiles.perRegion.perFamily", "9", ReaderKind.TABLE),
        counts("mapreduce.map.java.opts", "-Xmx1g", ReaderKind.TABLE),
        counts("mapreduce.reduce.java.opts", "-Xmx1g", ReaderKind.TABLE),
        counts("hbase.mapreduce.inputtable", "t", ReaderKind.SNAPSHOT),
        counts(SCAN, null, ReaderKind.SNAPSHOT));
  }

  private final Configuration conf = new Configuration(false);

  private void set(String key, String value, Place place) throws IOException {
    String text = key.equals(SCAN) ? TableMapReduceUtil.convertScanToString(new Scan()) : value;
    switch (place) {
      case JOB -> conf.set(key, text);
      case COMMAND_LINE ->
          assertNotNull(new GenericOptionsParser(conf, new String[] {"-D", key + "=" + text}));
      case SITE -> {
        String xml = "<configuration><property><name>%s</name><value>%s</value></property>";
        String file = String.format(xml + "</configuration>", key, text);
        conf.addResource(
            new ByteArrayInputStream(file.getBytes(StandardCharsets.UTF_8)), "hbase-site.xml");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aKeyThatLosesSaysWhy(Case one) throws IOException {
    set(one.key(), one.value(), one.place());
    for (Map.Entry<String, String> other : one.beside().entrySet()) {
      boolean ofCommandLine = other.getKey().startsWith("-D");
      set(
          ofCommandLine ? other.getKey().substring(2) : other.getKey(),
          other.getValue(),
          ofCommandLine ? Place.COMMAND_LINE : Place.JOB);
    }
    List<String> said =
        IgnoredKeys.sentences(conf, one.of()).stream()
            .filter(sentence -> sentence.startsWith(one.key() + " has no effect: "))
            .toList();
    if (one.why() == null) {
      assertEquals(List.of(), said);
    } else {
      assertEquals(1, said.size());
      assertTrue(said.get(0).contains(" has no effect: " + one.why()), said.get(0));
    }
  }

  @Test
  void everyKeyOfThePageHasACase() throws IOException {
    Set<String> named = new TreeSet<>();
    Matcher keys = KEY.matcher(Files.readString(PAGE));
    while (keys.find()) {
      named.add(keys.group(1));
    }
    assertTrue(named.contains(SCAN + ".row.stop"), "the page has keys in full");
    named.removeAll(cases().map(Case::key).collect(Collectors.toSet()));
    assertEquals(Set.of(), named);
  }
}

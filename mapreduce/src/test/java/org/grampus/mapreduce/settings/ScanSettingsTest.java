package org.grampus.mapreduce.settings;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.mapreduce.IdentityTableMapper;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.util.GenericOptionsParser;
import org.grampus.mapreduce.keys.JobKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ScanSettingsTest {
  private final Configuration conf = new Configuration(false);

  private ScanSettings table() throws IOException {
    return ScanSettings.of(conf, ReaderKind.TABLE);
  }

  private void give(Scan scan) throws IOException {
    conf.set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(scan));
  }

  private void site(String key, String value) {
    String xml =
        "<configuration><property><name>"
            + key
            + "</name><value>"
            + value
            + "</value></property></configuration>";
    conf.addResource(
        new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)), "hbase-site.xml");
  }

  private void commandLine(String key, String value) throws IOException {
    assertNotNull(new GenericOptionsParser(conf, new String[] {"-D", key + "=" + value}));
  }

  /** As a task has it: written with the job and read from its file. */
  private Configuration ofTask() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    conf.writeXml(out);
    Configuration task = new Configuration(false);
    task.addResource(new ByteArrayInputStream(out.toByteArray()), "job.xml");
    return task;
  }

  @Test
  void withoutAnythingTheScanIsHBases() throws IOException {
    Scan scan = table().scan();
    assertFalse(scan.getCacheBlocks());
    assertEquals(-1, scan.getCaching());
    assertEquals(1, scan.getMaxVersions());
    assertEquals(Origin.DEFAULT, table().effective().get("batch").origin());
  }

  @Test
  void theScanGoesBeforeTheSite() throws IOException {
    site("hbase.client.scanner.caching", "10");
    site(TableInputFormat.SCAN_BATCHSIZE, "7");
    assertEquals(-1, table().scan().getCaching(), "the client looks at its own key");
    assertEquals("10", table().effective().get("caching").value());
    assertEquals(7, table().scan().getBatch());
    give(new Scan().setCaching(20).setBatch(3));
    assertEquals(20, table().scan().getCaching());
    assertEquals(3, table().scan().getBatch());
    assertEquals(Origin.SCAN, table().effective().get("batch").origin());
  }

  /** As GenericOptionsParser reads it. */
  @Test
  void aFileThatTheJobIsGivenGoesBeforeTheScan(@TempDir Path directory) throws IOException {
    give(new Scan().setBatch(3));
    for (String name : List.of("my.xml", "myjob.xml")) {
      Path file = directory.resolve(name);
      Files.writeString(
          file,
          "<configuration><property><name>hbase.mapreduce.scan.batchsize</name><value>7</value>"
              + "</property></configuration>");
      Configuration given = new Configuration(conf);
      assertNotNull(new GenericOptionsParser(given, new String[] {"-conf", file.toString()}));
      ScanSettings settings = ScanSettings.of(given, ReaderKind.TABLE);
      assertEquals("7 (job)", settings.effective().get("batch").toString());
    }
  }

  @Test
  void theJobsKeyGoesBeforeTheScan() throws IOException {
    give(new Scan().setCaching(20).setBatch(3).addFamily(Bytes.toBytes("f")).readVersions(5));
    conf.setInt(TableInputFormat.SCAN_CACHEDROWS, 30);
    conf.setInt(TableInputFormat.SCAN_BATCHSIZE, 4);
    conf.setInt(TableInputFormat.SCAN_MAXVERSIONS, 2);
    conf.set(TableInputFormat.SCAN_COLUMNS, "g:q h");
    conf.set(TableInputFormat.SCAN_ROW_START, "\\x00a");
    conf.setBoolean(TableInputFormat.SCAN_CACHEBLOCKS, false);
    Scan scan = table().scan();
    assertEquals(30, scan.getCaching());
    assertEquals(4, scan.getBatch());
    assertEquals(2, scan.getMaxVersions());
    assertEquals("g:q h", table().effective().get("columns").value());
    assertArrayEquals(new byte[] {0, 'a'}, scan.getStartRow());
    assertFalse(scan.getCacheBlocks());
  }

  @Test
  void aNumberThatUnsetsIsApplied() throws IOException {
    for (int unset : new int[] {0, -1}) {
      give(new Scan().setBatch(3).setCaching(20).setMaxResultSize(1000));
      site("hbase.client.scanner.caching", "10");
      conf.setInt(TableInputFormat.SCAN_BATCHSIZE, unset);
      conf.setInt(TableInputFormat.SCAN_CACHEDROWS, unset);
      conf.setInt("grampus.mapreduce.scan.max.result.size", unset);
      Scan scan = table().scan();
      assertEquals(-1, scan.getBatch());
      assertEquals("-1 (job)", table().effective().get("batch").toString());
      assertEquals(-1, scan.getCaching(), "the client looks at its own key");
      assertEquals("10 (site)", table().effective().get("caching").toString());
      assertEquals(-1, scan.getMaxResultSize());
      assertEquals(Origin.SITE, table().effective().get("max.result.size").origin());
    }
  }

  @Test
  void aBatchIsUnsetBesideAFilterOfWholeRows() throws IOException {
    Scan whole = new Scan().setFilter(new PageFilter(7));
    give(whole);
    conf.setInt(TableInputFormat.SCAN_BATCHSIZE, 0);
    assertEquals(-1, table().scan().getBatch());
    assertEquals(whole.getFilter().toString(), table().scan().getFilter().toString());
  }

  private void assertRefused(String sentence, String key, String value) {
    conf.set(key, value);
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, this::table);
    assertEquals(sentence, refused.getMessage());
    conf.unset(key);
  }

  @Test
  void aNumberThatNoScanCanHaveIsRefused() throws IOException {
    assertRefused(
        "hbase.mapreduce.scan.maxversions must be at least 1, not 0",
        TableInputFormat.SCAN_MAXVERSIONS,
        "0");
    assertRefused(
        "hbase.mapreduce.scan.cachedrows must be at most 2147483647, not 3000000000",
        TableInputFormat.SCAN_CACHEDROWS,
        "3000000000");
    commandLine("hbase.client.scanner.caching", "0");
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, this::table);
    assertEquals("hbase.client.scanner.caching must be at least 1, not 0", refused.getMessage());
  }

  @Test
  void theCommandLineGoesBeforeAll() throws IOException {
    give(new Scan().setCaching(20));
    conf.setInt(TableInputFormat.SCAN_CACHEDROWS, 30);
    commandLine("hbase.client.scanner.caching", "40");
    assertEquals(40, table().scan().getCaching());
    assertEquals("40 (command line)", table().effective().get("caching").toString());
  }

  @Test
  void aTaskSeesTheSameOrigins() throws IOException {
    give(new Scan().setCaching(20).setBatch(3));
    site(TableInputFormat.SCAN_BATCHSIZE, "7");
    conf.setInt(TableInputFormat.SCAN_MAXVERSIONS, 2);
    commandLine("hbase.client.scanner.caching", "40");
    assertEquals(table().effective(), ScanSettings.of(ofTask(), ReaderKind.TABLE).effective());
  }

  @Test
  void timesFilterAndSize() throws IOException {
    conf.set(TableInputFormat.SCAN_TIMERANGE_START, "5");
    conf.set("grampus.mapreduce.scan.filter", "PrefixFilter('a')");
    conf.set("grampus.mapreduce.scan.max.result.size", "1000");
    Scan scan = table().scan();
    assertEquals(5, scan.getTimeRange().getMin());
    assertEquals(Long.MAX_VALUE, scan.getTimeRange().getMax());
    assertTrue(scan.getFilter() instanceof PrefixFilter);
    assertEquals(1000, scan.getMaxResultSize());
  }

  @Test
  void keysWithoutEffectAreNamed() throws IOException {
    conf.set("hbase.mapreduce.scan.cachedrow", "5");
    conf.set(TableInputFormat.SCAN_TIMESTAMP, "5");
    conf.set(TableInputFormat.SCAN_TIMERANGE_END, "5");
    assertEquals(
        "[hbase.mapreduce.scan.cachedrow has no effect: there is no such key,"
            + " hbase.mapreduce.scan.timestamp has no effect: a time range is set too]",
        table().warnings().toString());
    conf.clear();
    conf.set(TableInputFormat.SCAN_CACHEDROWS, "5");
    site("hbase.client.scanner.caching", "10");
    assertEquals(
        "[hbase.mapreduce.scan.cachedrows has no effect: a snapshot's files are read without calls"
            + " to servers]",
        ScanSettings.of(conf, ReaderKind.SNAPSHOT).warnings().toString());
    conf.clear();
    conf.set("hbase.mapreduce.log.scanner.rowcount", "5");
    assertEquals(
        "[hbase.mapreduce.log.scanner.rowcount has no effect: the counters of the task say how it"
            + " goes on]",
        table().warnings().toString());
  }

  private List<String> keysWithoutEffect(ReaderKind reader, String... keys) throws IOException {
    conf.clear();
    for (String key : keys) {
      boolean truth = key.endsWith("enabled") || key.endsWith("by.bytes") || key.endsWith("maps");
      conf.set(key, truth ? "true" : "1");
    }
    return ScanSettings.of(conf, reader).warnings().stream()
        .map(sentence -> sentence.substring(0, sentence.indexOf(" has no effect: ")))
        .toList();
  }

  @Test
  void ourOwnKeysAreNamedWhereTheyAreMisspeltOrOfAnotherFormat() throws IOException {
    String[] wrong = {
      "grampus.mapreduce.split",
      "grampus.mapreduce.scan.filters",
      "grampus.mapreduce.snapshot.readahead",
      "hbase.mapreduce.scan.cachedrow"
    };
    List<String> sorted = Stream.of(wrong).sorted().toList();
    String[] right = {
      "grampus.mapreduce.splits",
      "grampus.mapreduce.split.bytes",
      "grampus.mapreduce.download.run",
      "grampus.mapreduce.scan.effective.batch"
    };
    for (ReaderKind reader : EnumSet.complementOf(EnumSet.of(ReaderKind.FILES))) {
      assertEquals(sorted, keysWithoutEffect(reader, wrong));
      assertEquals(List.of(), keysWithoutEffect(reader, right));
    }
  }

  @Test
  void anImpossibleValueIsRefusedWithItsKey() {
    conf.set(TableInputFormat.SCAN_BATCHSIZE, "many");
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, this::table);
    assertEquals("hbase.mapreduce.scan.batchsize must be a number, not many", refused.getMessage());
  }

  static Stream<String> keysOfNumbersTruthsAndForms() {
    Stream<String> ofScans =
        Stream.of(
            TableInputFormat.SCAN,
            TableInputFormat.SCAN_TIMESTAMP,
            TableInputFormat.SCAN_TIMERANGE_START,
            TableInputFormat.SCAN_TIMERANGE_END,
            TableInputFormat.SCAN_MAXVERSIONS,
            TableInputFormat.SCAN_BATCHSIZE,
            TableInputFormat.SCAN_CACHEBLOCKS,
            TableInputFormat.SCAN_CACHEDROWS,
            JobKeys.SCAN_MAX_RESULT_SIZE,
            JobKeys.SCAN_FILTER);
    return Stream.concat(CheckedValues.checked().stream(), ofScans);
  }

  @ParameterizedTest
  @MethodSource("keysOfNumbersTruthsAndForms")
  void aValueThatCannotBeIsRefusedWithItsKey(String key) {
    conf.set(key, "PrefixFilter(");
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, this::table);
    String sentence = refused.getMessage();
    assertTrue(sentence.startsWith(key + " must be ") || sentence.startsWith(key + " cannot be: "));
  }

  @Test
  void aNumberOutOfItsBoundsIsRefusedWithItsKey() {
    assertRefused(
        "grampus.mapreduce.splits must be at least 1, not 0", "grampus.mapreduce.splits", "0");
    assertRefused(
        "grampus.mapreduce.split.bytes must be at least 1, not 0",
        "grampus.mapreduce.split.bytes",
        "0k");
    conf.set("hbase.mapreduce.scan.timerange.start", "5");
    conf.set("hbase.mapreduce.scan.timerange.end", "3");
    String sentence = assertThrows(IllegalArgumentException.class, this::table).getMessage();
    assertTrue(
        sentence.startsWith(
            "hbase.mapreduce.scan.timerange.start = 5 with hbase.mapreduce.scan.timerange.end = 3"),
        sentence);
  }

  @Test
  void theJobIsToldWhatCounts() throws IOException {
    give(new Scan().setBatch(3));
    table().record(conf);
    assertEquals("3 (scan)", conf.get("grampus.mapreduce.scan.effective.batch"));
  }

  @Test
  void whatCannotBeWrittenIntoAJobsFileIsShownAsADot() {
    assertEquals("Odd . filter .", ScanSettings.printable("Odd \u0001 filter \uFFFE"));
  }

  /** HBase's utility sets every key anew, which hides where it came from; the docs say so. */
  @Test
  void afterTheUtilityEveryKeyIsTheJobs() throws IOException {
    site("hbase.mapreduce.scan.batchsize", "7");
    commandLine("hbase.client.scanner.caching", "9");
    Job job = Job.getInstance(conf);
    TableMapReduceUtil.initTableMapperJob(
        "t", new Scan().setCaching(5), IdentityTableMapper.class, null, null, job, false);
    ScanSettings settings = ScanSettings.of(job.getConfiguration(), ReaderKind.TABLE);
    assertEquals("7 (job)", settings.effective().get("batch").toString());
    assertEquals(5, settings.scan().getCaching());
  }

  @Test
  void aScanCanBeAllThatAJobReads() throws IOException {
    Configuration conf = new Configuration(false);
    ScanKeys.SELECTION.forEach(key -> conf.set(key, "1"));
    Scan wanted = new Scan().withStartRow(Bytes.toBytes("a")).setCacheBlocks(false);
    ScanSettings.setOnlyScan(conf, wanted);
    for (ReaderKind reader : ReaderKind.values()) {
      assertEquals(wanted.toJSON(), ScanSettings.of(conf, reader).scan().toJSON());
    }
  }
}

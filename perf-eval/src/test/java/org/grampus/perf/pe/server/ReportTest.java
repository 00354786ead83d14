package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.HdrHistogram.AbstractHistogram;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The files of a run. */
final class ReportTest {
  private static final String TABLE = "PeReport";
  private static final String COMMON = "--nomapred --valueSize=20 --table=" + TABLE + " ";

  @TempDir private Path work;

  @BeforeAll
  static void fill() throws Exception {
    PeRun.drop(TABLE);
    assertEquals(0, PeRun.of(COMMON + "--rows=100 sequentialWrite 2").exit());
  }

  @AfterAll
  static void drop() throws Exception {
    PeRun.drop(TABLE);
  }

  private static Set<String> names(Path directory) throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      Set<String> names = new TreeSet<>();
      files.forEach(file -> names.add(file.getFileName().toString()));
      return names;
    }
  }

  @Test
  void allFilesAreThereAndAgree() throws Exception {
    Path report = work.resolve("report");

    PeRun run = PeRun.of(COMMON + "--rows=100 --rate=100 --report=" + report + " randomRead 2");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(
        new TreeSet<>(
            List.of(
                "latency.hlog",
                "latency.svg",
                "percentiles.svg",
                "result.json",
                "series.csv",
                "throughput.svg")),
        names(report));
    JsonObject json =
        new Gson().fromJson(Files.readString(report.resolve("result.json")), JsonObject.class);
    assertEquals(200, json.getAsJsonObject("counts").get("rows").getAsLong());
    assertEquals(200, json.getAsJsonObject("latencyMicros").get("count").getAsLong());
    assertEquals(2, json.getAsJsonArray("clients").size());
    assertFalse(json.get("partial").getAsBoolean());
    assertEquals(200, operationsOfSeries(report));
    assertEquals(200, measuresOfLog(report));
    for (String chart : List.of("throughput.svg", "latency.svg", "percentiles.svg")) {
      assertTrue(Files.readString(report.resolve(chart)).contains("<svg"), chart);
    }
  }

  private static long operationsOfSeries(Path report) throws Exception {
    return Files.readAllLines(report.resolve("series.csv")).stream()
        .skip(1)
        .mapToLong(line -> Long.parseLong(line.split(",", -1)[2]))
        .sum();
  }

  private static long measuresOfLog(Path report) throws Exception {
    long measures = 0;
    try (HistogramLogReader log = new HistogramLogReader(report.resolve("latency.hlog").toFile())) {
      EncodableHistogram interval = log.nextIntervalHistogram();
      while (interval != null) {
        measures += ((AbstractHistogram) interval).getTotalCount();
        interval = log.nextIntervalHistogram();
      }
    }
    return measures;
  }

  @Test
  void bytesAreThoseThatWereReadAndNotThoseThatWerePlanned() throws Exception {
    Path report = work.resolve("bytes");
    String missing = "--rows=150 --valueSize=1000 --allowMissing --report=" + report;

    assertEquals(0, PeRun.of(COMMON + missing + " sequentialRead 2").exit());

    JsonObject json =
        new Gson().fromJson(Files.readString(report.resolve("result.json")), JsonObject.class);
    long row = 26L + "info0".length() + "0".length() + 20;
    assertEquals(200 * row, json.getAsJsonObject("counts").get("bytes").getAsLong());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequentialWrite",
        "--autoFlush=true randomWrite",
        "--autoFlush=true --multiPut=7 sequentialWrite",
        "asyncRandomWrite",
        "scan",
        "asyncRandomRead",
        "--multiGet=7 randomRead"
      })
  void testsThatReadOrWriteTheSameRowsHaveTheSameBytes(String test) throws Exception {
    Path report = work.resolve("bytes");

    assertEquals(0, PeRun.of(COMMON + "--rows=100 --report=" + report + " " + test + " 2").exit());

    JsonObject json =
        new Gson().fromJson(Files.readString(report.resolve("result.json")), JsonObject.class);
    assertEquals(200 * 52, json.getAsJsonObject("counts").get("bytes").getAsLong());
  }

  @Test
  void aRunWithMissingRowsHasAReportThatSaysSo() throws Exception {
    Path report = work.resolve("missing");

    assertEquals(
        1, PeRun.of(COMMON + "--rows=200 --report=" + report + " sequentialRead 2").exit());

    JsonObject json =
        new Gson().fromJson(Files.readString(report.resolve("result.json")), JsonObject.class);
    assertEquals(1, json.getAsJsonArray("failures").size());
    assertEquals(200, json.getAsJsonObject("counts").get("missing").getAsLong());
  }

  @Test
  void aRunThatBreaksAtItsEndHasAReportThatSaysHowMuchOfItThereIs() throws Exception {
    Path report = work.resolve("partial");

    PeRun run =
        PeRun.of(
            COMMON
                + "--rows=15 --report="
                + report
                + " "
                + JobTest.LastFailing.class.getName()
                + " 1");

    assertEquals(1, run.exit());
    assertEquals(1, run.with("Stopped TestClient-0 in").size(), run.lines()::toString);
    assertEquals(0, run.with("Finished").size());
    JsonObject json =
        new Gson().fromJson(Files.readString(report.resolve("result.json")), JsonObject.class);
    assertTrue(json.get("partial").getAsBoolean());
    assertEquals(15, json.get("operationsAsked").getAsLong());
    assertEquals(14, json.getAsJsonObject("counts").get("operations").getAsLong());
    String extent = "14 of 15 operations";
    assertEquals("# partial: " + extent, Files.readAllLines(report.resolve("series.csv")).get(0));
    assertTrue(
        Files.readString(report.resolve("latency.hlog")).contains("#[Partial: " + extent + "]"));
    assertEquals(14, measuresOfLog(report));
  }

  @Test
  void aRunThatBreaksLeavesNothing() throws Exception {
    Path report = work.resolve("broken");

    assertEquals(
        1,
        PeRun.of(
                COMMON
                    + "--report="
                    + report
                    + " --rows=5 "
                    + JobTest.Failing.class.getName()
                    + " 2")
            .exit());

    assertEquals(new TreeSet<>(), names(work));
  }

  @Test
  void aReportThatIsThereIsNotWrittenOver() throws Exception {
    Path report = Files.createDirectory(work.resolve("old"));

    PeRun run = PeRun.of(COMMON + "--rows=5 --report=" + report + " randomRead 1");

    assertEquals(1, run.exit());
    assertFalse(run.with("needs a new directory").isEmpty());
    assertEquals(0, run.with("Finished").size());
  }
}

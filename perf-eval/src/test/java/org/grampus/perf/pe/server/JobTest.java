package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.grampus.perf.pe.work.RowTest;
import org.grampus.perf.pe.work.TestClient;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients as tasks of a job, by Hadoop's local runner. */
final class JobTest {
  private static final String TABLE = "PeJob";
  private static final String COMMON = "--valueSize=20 --table=" + TABLE + " ";
  private static final int ROWS = 300;

  @TempDir private static Path work;

  @BeforeAll
  static void fill() throws Exception {
    PeRun.drop(TABLE);
    PeRun run = run("--rows=100 --presplit=3 randomWrite 3");
    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(ROWS, PeRun.rows(TABLE).size());
  }

  @AfterAll
  static void drop() throws Exception {
    PeRun.drop(TABLE);
  }

  private static PeRun run(String line) throws Exception {
    return PeRun.of(new LocalJobs(work).configuration(), COMMON + line);
  }

  @ParameterizedTest
  @ValueSource(strings = {"randomRead", "asyncScan", "scan", "reverseScan", "scanRange10"})
  void everyClientIsATask(String test) throws Exception {
    PeRun run = run("--rows=100 --verify " + test + " 3");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(3, run.with("Client=").size());
    assertEquals(3, run.with("ms over 100 rows").size(), run.lines()::toString);
    assertEquals(1, run.with("[ Rows ]").size());
  }

  @Test
  void missingRowsFailTheJob() throws Exception {
    assertEquals(1, run("--rows=101 sequentialRead 3").exit());
  }

  @Test
  void theOutputHasALineForEachClientAlsoWhereTheyShareTheirRows() throws Exception {
    LocalJobs jobs = new LocalJobs(work);
    Set<Path> before = jobs.directories();
    assertEquals(0, run("--rows=2 --startRow=5 " + Counting.class.getName() + " 3").exit());
    Set<Path> after = jobs.directories();
    after.removeAll(before);

    List<String> lines = LocalJobs.output(after.iterator().next());

    assertEquals(
        List.of("0", "1", "2"),
        lines.stream().map(one -> one.substring(0, one.indexOf('\t'))).toList());
  }

  @Test
  void aFailedTaskFailsTheRun() throws Exception {
    PeRun run = run("--rows=5 " + Failing.class.getName() + " 1");

    assertEquals(1, run.exit());
    assertEquals(1, run.with("has failed").size(), run.lines()::toString);
  }

  @Test
  void resultsOfOtherTasksAreNotLostWithOneThatFails() throws Exception {
    Path report = work.resolve("partial");

    PeRun run = run("--rows=5 --report=" + report + " " + LastFailing.class.getName() + " 3");

    assertEquals(1, run.exit());
    assertEquals(2, run.with("ms over 5 rows").size(), run.lines()::toString);
    assertEquals(1, run.with("[ Partial ]\t14 of 15 operations").size(), run.lines()::toString);
    assertEquals(1, run.with("client 2 has failed: java.io.IOException: no row 14").size());
    JsonObject json =
        JsonParser.parseString(Files.readString(report.resolve("result.json"))).getAsJsonObject();
    assertEquals(14, json.getAsJsonObject("counts").get("operations").getAsLong());
    assertTrue(json.get("partial").getAsBoolean());
  }

  @Test
  void propertiesAreResolvedBeforeTheJob() throws Exception {
    PeRun run = run("-Dhbase.client.scanner.caching=77 --rows=100 scan 3");

    assertEquals(0, run.exit());
    assertEquals(
        1,
        run.with("caching=77 (-Dhbase.client.scanner.caching on the command line)").size(),
        run.lines()::toString);
    assertEquals(3, run.with("\"caching\":77").size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--mappersPerServer=2", "--direct", "--direct --mappersPerServer=2"})
  void scansReadAllRowsOnSplits(String options) throws Exception {
    assumeTrue(
        PeServer.isGrampus() || !options.contains("--direct"), "direct reads are of our files");
    assertEquals(0, run(options + " --rows=100 --verify scan 3").exit());

    PeRun missing = run(options + " --rows=101 scan 3");
    assertEquals(1, missing.exit());
    assertEquals(1, missing.with("rows asked: 303, read or written: 300").size());
    assertEquals(0, run(options + " --rows=101 --allowMissing scan 3").exit());
  }

  @Test
  void aClassOfTheUserRunsInTasks() throws Exception {
    PeRun run = run("--rows=5 " + Counting.class.getName() + " 2");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertTrue(run.with("[Counting duration ]").size() == 1, run.lines()::toString);
  }

  /** Counts rows and does nothing. */
  public static final class Counting extends RowTest {
    private TestClient client;

    @Override
    public void open(TestClient ofTest) {
      client = ofTest;
    }

    @Override
    public Step row(long row) {
      client.tally().ask(1);
      client.tally().answered(1);
      client.tally().rows(1);
      return Step.SENT;
    }
  }

  /** Counts rows, and fails at the fifteenth. */
  public static final class LastFailing extends RowTest {
    private TestClient client;

    @Override
    public void open(TestClient ofTest) {
      client = ofTest;
    }

    @Override
    public Step row(long row) throws IOException {
      client.tally().ask(1);
      if (row == 14) {
        throw new IOException("no row " + row);
      }
      client.tally().answered(1);
      client.tally().rows(1);
      return Step.SENT;
    }
  }

  /** Fails at its first row. */
  public static final class Failing extends RowTest {
    @Override
    public void open(TestClient client) {}

    @Override
    public Step row(long row) throws IOException {
      throw new IOException("no row " + row);
    }
  }
}

package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every test of ours, with clients as threads. */
final class ThreadsTest {
  private static final String TABLE = "PeThreads";
  private static final String COMMON = "--nomapred --valueSize=20 --table=" + TABLE + " ";
  private static final int ROWS = 200;

  @BeforeAll
  static void fill() throws Exception {
    PeRun.drop(TABLE);
    assertEquals(0, run("--rows=100 --presplit=3 sequentialWrite 2").exit());
    assertEquals(ROWS, PeRun.rows(TABLE).size());
  }

  @AfterAll
  static void drop() throws Exception {
    PeRun.drop(TABLE);
  }

  private static PeRun run(String line) throws Exception {
    return PeRun.of(COMMON + line);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asyncRandomRead",
        "asyncSequentialRead",
        "asyncScan",
        "randomRead",
        "sequentialRead",
        "scan",
        "reverseScan",
        "scanRange10",
        "scanRange100",
        "scanRange1000",
        "scanRange10000",
        "randomSeekScan"
      })
  void readsFindWhatWasWritten(String test) throws Exception {
    PeRun run = run("--rows=100 --verify " + test + " 2");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(2, run.with("ms over 100 rows").size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "asyncRandomWrite",
        "asyncSequentialWrite",
        "randomWrite",
        "sequentialWrite",
        "--autoFlush=true randomWrite",
        "--autoFlush=true --multiPut=7 sequentialWrite",
        "--autoFlush=true --multiPut=7 asyncSequentialWrite"
      })
  void writesWriteEachRowOnce(String test) throws Exception {
    String table = "PeWrites";
    PeRun.drop(table);

    PeRun run = run("--table=" + table + " --rows=50 " + test + " 2");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(100, PeRun.rows(table).size());
    assertEquals(0, run("--table=" + table + " --rows=50 --verify sequentialRead 2").exit());
    PeRun.drop(table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sequentialDelete", "randomDelete", "--autoFlush=true randomDelete"})
  void deletesLeaveNothing(String test) throws Exception {
    String table = "PeDeletes";
    assertEquals(0, run("--table=" + table + " --rows=50 sequentialWrite 2").exit());

    assertEquals(0, run("--table=" + table + " --rows=50 " + test + " 2").exit());

    assertEquals(List.of(), PeRun.rows(table));
    PeRun.drop(table);
  }

  @ParameterizedTest
  @ValueSource(strings = {"increment", "append", "checkAndPut", "checkAndMutate", "checkAndDelete"})
  void atomicCallsRunOnRowsThatClientsShare(String test) throws Exception {
    String table = "PeAtomic";
    PeRun.drop(table);

    PeRun run = run("--table=" + table + " --rows=20 --families=2 --verify " + test + " 3");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(3, run.with("ms over 20 rows").size());
    assertEquals(test.equals("checkAndDelete") ? 0 : 20, PeRun.rows(table).size());
    PeRun.drop(table);
  }

  @Test
  void incrementsOfAllClientsAddUp() throws Exception {
    String table = "PeIncrements";
    PeRun.drop(table);

    assertEquals(0, run("--table=" + table + " --rows=5 --cycles=2 increment 3").exit());

    for (Result row : PeRun.rows(table)) {
      assertEquals(
          6L, Bytes.toLong(row.getValue(Bytes.toBytes("info0"), Bytes.toBytes("IncrementTest"))));
    }
    PeRun.drop(table);
  }

  @Test
  void rowsOfMetaAreWrittenFoundAndRemoved() throws Exception {
    assertEquals(0, run("--rows=10 metaWrite 1").exit());
    assertEquals(0, run("--rows=10 metaRandomRead 1").exit());
    assertEquals(0, run("--rows=10 cleanMeta 1").exit());
    assertEquals(1, run("--rows=10 cleanMeta 1").exit());
    assertEquals(ROWS, PeRun.rows(TABLE).size());
  }

  @Test
  void rowsOfMetaHaveTheKeysOfHBase() throws Exception {
    assertEquals(0, run("--rows=9 metaWrite 1").exit());
    assertEquals(0, PeRun.stock(COMMON + "--rows=9 cleanMeta 1").exit());
    PeRun again = run("--rows=9 cleanMeta 1");
    assertEquals(1, again.with("[ Rows ]\tasked: 9\tread or written: 0\tmissing: 9").size());
  }

  @Test
  void aFilterFindsTheRowOfItsValue() throws Exception {
    PeRun run = run("--rows=2 --verify filterScan 1");

    assertEquals(0, run.exit(), run.lines()::toString);
    assertEquals(1, run.with("read or written: 2").size(), run.lines()::toString);
  }

  @Test
  void cyclesScanAgain() throws Exception {
    PeRun run = run("--rows=100 --cycles=3 scan 2");

    assertEquals(0, run.exit());
    assertEquals(2, run.with("ms over 300 rows").size());
  }

  @Test
  void filteredRowsCountAsTheyWereAskedFor() throws Exception {
    for (String test : List.of("randomRead", "scan", "scanRange10")) {
      PeRun run = run("--rows=100 --filterAll " + test + " 2");
      assertEquals(0, run.exit(), run.lines()::toString);
    }
  }

  @Test
  void missingRowsFailTheRunUnlessTheyAreAllowed() throws Exception {
    for (String test : List.of("randomRead", "sequentialRead", "scan", "scanRange100")) {
      assertEquals(1, run("--rows=150 " + test + " 2").exit(), test);
      assertEquals(0, run("--rows=150 --allowMissing " + test + " 2").exit(), test);
    }
  }

  @Test
  void otherValuesFailAVerifiedRun() throws Exception {
    PeRun run = run("--rows=100 --verify --valueSeed=5 scan 2");

    assertEquals(1, run.exit());
    assertEquals(1, run.with("200 answers are not what").size(), run.lines()::toString);
  }

  @Test
  void aWrongTableIsAnErrorAndStaysAsItIs() throws Exception {
    assertEquals(1, run("--rows=100 --families=2 randomRead 2").exit());
    assertEquals(1, run("--rows=100 --families=2 sequentialWrite 2").exit());
    assertEquals(1, run("--table=PeNone --rows=100 randomRead 2").exit());
    assertEquals(ROWS, PeRun.rows(TABLE).size());
  }

  @Test
  void anotherNumberOfRegionsIsSaidAndDropsNothing() throws Exception {
    PeRun run = run("--presplit=5 --rows=5 sequentialWrite 2");

    assertEquals(0, run.exit());
    assertEquals(1, run.with("--presplit=5 has no effect: table").size());
    assertEquals(ROWS, PeRun.rows(TABLE).size());
    assertFalse(run("--presplit=3 --rows=2 sequentialWrite 2").with("has no effect").size() > 0);
  }

  @Test
  void aTableStaysWhoseSuccessorCannotBeMade() throws Exception {
    assertEquals(2, run("--recreate --presplit=100 --rows=10 sequentialWrite 1").exit());
    PeRun refused = run("--recreate --encryption=AES --rows=10 sequentialWrite 1");
    assertEquals(1, refused.exit(), refused.lines()::toString);
    try (Admin admin = PeServer.get().connection().getAdmin()) {
      assertFalse(admin.tableExists(TableName.valueOf(TABLE + "_pe_trial")));
    }
    assertEquals(
        1, run("--recreate --commandPropertiesFile=none --rows=10 sequentialWrite 1").exit());
    assertEquals(ROWS, PeRun.rows(TABLE).size());
  }

  @Test
  void recreateDropsTheTable() throws Exception {
    String table = "PeRecreated";
    assertEquals(0, run("--table=" + table + " --rows=10 sequentialWrite 1").exit());

    assertEquals(0, run("--table=" + table + " --recreate --rows=3 sequentialWrite 1").exit());

    assertEquals(3, PeRun.rows(table).size());
    PeRun.drop(table);
  }

  @Test
  void anEmptyTableIsNotDropped() throws Exception {
    String table = "PeEmpty";
    assertEquals(0, run("--table=" + table + " --rows=1 --presplit=1 sequentialWrite 1").exit());
    assertEquals(0, run("--table=" + table + " --rows=1 sequentialDelete 1").exit());

    PeRun run = run("--table=" + table + " --presplit=4 --rows=4 sequentialWrite 1");

    assertEquals(1, run.with("has 1 regions").size(), run.lines()::toString);
    PeRun.drop(table);
  }

  @Test
  void aSampleCountsWhatItTakes() throws Exception {
    PeRun run = run("--rows=100 --sampleRate=0.1 --period=1 sequentialRead 2");

    assertEquals(0, run.exit());
    assertEquals(2, run.with("ms over 10 rows").size(), run.lines()::toString);
    assertEquals(20, run.with("row [start=").size());
  }

  @Test
  void rowsBeforeMeasureAfterAreNotMeasured() throws Exception {
    assertEquals(1, run("--rows=10 sequentialRead 1").with("Num measures (latency) : 10").size());
    assertEquals(
        1,
        run("--rows=10 --measureAfter=4 sequentialRead 1")
            .with("Num measures (latency) : 6")
            .size());
    assertEquals(
        1,
        run("--rows=10 --measureAfter=10 --multiGet=4 randomRead 1")
            .with("Num measures (latency) : 0")
            .size());
  }

  @Test
  void aRateIsKept() throws Exception {
    PeRun run = run("--rows=20 --rate=100 --warmup=1 randomRead 2");

    assertEquals(0, run.exit());
    assertEquals(2, run.with("Response time (us)").size());
    for (String line : run.with("ms over 20 rows")) {
      long millis = Long.parseLong(line.replaceAll(".* in (\\d+)ms.*", "$1"));
      assertTrue(millis >= 380 && millis < 5_000, line);
    }
  }

  @Test
  void replicasAreAskedFor() throws Exception {
    PeRun run = run("--rows=100 --replicas=2 randomRead 2");

    assertEquals(1, run.with("[results from replica regions] 0").size());
  }
}

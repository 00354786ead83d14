package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DeflaterOutputStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.perf.pe.key.RowKey;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What HBase's class does wrong and ours does not, each shown by a run of both. */
final class StockDefectsTest {
  private static final DefectTable TABLE = new DefectTable("PeDefects");

  /** Five rows of a GB. */
  private static final String FIFTHS = "--valueSize=10000000 --columns=20 ";

  @BeforeEach
  @AfterEach
  void drop() throws Exception {
    TABLE.drop();
  }

  @Test
  void randomWritesOfHBaseLeaveAThirdOfTheRowsOut() throws Exception {
    assertEquals(0, TABLE.stock("--valueSize=10 --rows=300 randomWrite 1").exit());
    assertTrue(TABLE.rows() < 250, () -> "HBASE-5402");
    TABLE.drop();

    assertEquals(0, TABLE.ours("--valueSize=10 --rows=300 randomWrite 1").exit());
    assertEquals(300, TABLE.rows());
    TABLE.drop();

    assertEquals(0, TABLE.ours("--valueSize=10 --rows=300 --repeatKeys randomWrite 1").exit());
    assertTrue(
        TABLE.rows() < 250, () -> "the old way is there for those who compare with old runs");
  }

  @Test
  void randomDeletesOfHBaseLeaveAThirdOfTheRows() throws Exception {
    TABLE.fill(300);
    assertEquals(0, TABLE.stock("--rows=300 randomDelete 1").exit());
    assertTrue(TABLE.rows() > 50);

    assertEquals(0, TABLE.ours("--rows=300 randomDelete 1").exit());
    assertEquals(0, TABLE.rows());
  }

  @Test
  void randomReadsOfHBaseLeaveAThirdOfTheRowsOut() throws Exception {
    TABLE.fill(300);
    Witness stock = TABLE.watchStock("--rows=300 randomRead 1");
    assertEquals(300, stock.gets());
    assertTrue(stock.rowsOfGets() < 250, () -> "rows of HBase's gets: " + stock.rowsOfGets());

    Witness ours = TABLE.watchOurs("--rows=300 randomRead 1");
    assertEquals(300, ours.gets());
    assertEquals(300, ours.rowsOfGets());
  }

  @Test
  void batchesThatAreNotFullAreNeverSentByHBase() throws Exception {
    String line = "--valueSize=10 --rows=25 --autoFlush=true --multiPut=10 sequentialWrite 1";
    assertEquals(0, TABLE.stock(line).exit());
    assertEquals(20, TABLE.rows());

    assertEquals(0, TABLE.ours(line).exit());
    assertEquals(25, TABLE.rows());
  }

  @Test
  void asynchronousWritesOfHBaseWriteEachRowTwice() throws Exception {
    createWithVersions();
    assertEquals(0, TABLE.stock("--valueSize=10 --rows=50 asyncSequentialWrite 1").exit());
    assertTrue(cells() > 50);
    TABLE.drop();

    createWithVersions();
    assertEquals(0, TABLE.ours("--valueSize=10 --rows=50 asyncSequentialWrite 1").exit());
    assertEquals(50, cells());
  }

  private static void createWithVersions() throws IOException, InterruptedException {
    try (Admin admin = PeServer.get().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(TABLE.name()))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("info0"))
                      .setMaxVersions(5)
                      .build())
              .build());
    }
  }

  private static int cells() throws IOException, InterruptedException {
    int cells = 0;
    try (Table table = PeServer.get().connection().getTable(TableName.valueOf(TABLE.name()));
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        cells += row.size();
      }
    }
    return cells;
  }

  @Test
  void scansOfHBaseCountRowsThatAreNotThere() throws Exception {
    TABLE.fill(20);
    PeRun stock = TABLE.stock("--rows=100 scan 1");
    assertEquals(0, stock.exit());
    assertEquals(1, stock.with("ms over 100 rows").size());

    PeRun ours = TABLE.ours("--rows=100 scan 1");
    assertEquals(1, ours.exit());
    assertEquals(1, ours.with("ms over 20 rows").size());
  }

  @Test
  void readsOfHBaseCountRowsThatAreNotThere() throws Exception {
    TABLE.fill(20);
    PeRun stock = TABLE.stock("--rows=100 sequentialRead 1");
    assertEquals(0, stock.exit());
    assertEquals(0, stock.with("missing").size());

    PeRun ours = TABLE.ours("--rows=100 sequentialRead 1");
    assertEquals(1, ours.exit());
    assertEquals(1, ours.with("missing: 80").size() - ours.with("failed").size());
  }

  @Test
  void theFirstRequestIsNotMeasuredByHBase() throws Exception {
    TABLE.fill(20);
    assertEquals(
        1, TABLE.stock("--rows=20 sequentialRead 1").with("Num measures (latency) : 19").size());
    assertEquals(
        1, TABLE.ours("--rows=20 sequentialRead 1").with("Num measures (latency) : 20").size());
  }

  @Test
  void samplesAreCountedAsIfAllHadBeenReadByHBase() throws Exception {
    TABLE.fill(20);
    String line = "--rows=20 --sampleRate=0.1 sequentialRead 1";
    assertEquals(1, TABLE.stock(line).with("ms over 20 rows").size());
    assertEquals(1, TABLE.ours(line).with("ms over 2 rows").size());
  }

  @Test
  void cyclesAreCountedOnceByHBase() throws Exception {
    TABLE.fill(20);
    String line = "--rows=20 --cycles=3 sequentialRead 1";
    assertEquals(1, TABLE.stock(line).with("ms over 20 rows").size());
    assertEquals(1, TABLE.ours(line).with("ms over 60 rows").size());
  }

  @Test
  void fractionsOfASizeAreCutOffByHBase() throws Exception {
    TABLE.fill(13);
    assertEquals(0, TABLE.stock(FIFTHS + "--size=2.6 sequentialDelete 1").exit());
    assertEquals(3, TABLE.rows());

    TABLE.fill(13);
    assertEquals(0, TABLE.ours(FIFTHS + "--size=2.6 sequentialDelete 1").exit());
    assertEquals(0, TABLE.rows());
  }

  @Test
  void sizesBelowOneAreRefusedByHBase() throws Exception {
    TABLE.fill(3);
    assertNotEquals(0, TABLE.stock(FIFTHS + "--size=0.6 sequentialDelete 1").exit());
    assertEquals(0, TABLE.ours(FIFTHS + "--size=0.6 sequentialDelete 1").exit());
    assertEquals(0, TABLE.rows());
  }

  @Test
  void rowsThatDoNotComeOutAreForgottenByHBase() throws Exception {
    TABLE.fill(10);
    assertEquals(0, TABLE.stock(FIFTHS + "--size=2 sequentialDelete 3").exit());
    assertEquals(1, TABLE.rows());

    TABLE.fill(10);
    assertEquals(0, TABLE.ours(FIFTHS + "--size=2 sequentialDelete 3").exit());
    assertEquals(0, TABLE.rows());
  }

  @Test
  void rowsBeyondIntsAreRefusedByHBase() throws Exception {
    String line = "--valueSize=10 --rows=1 --startRow=3000000000 sequentialWrite 1";
    assertNotEquals(0, TABLE.stock(line).exit());

    assertEquals(0, TABLE.ours(line).exit());
    assertArrayEquals(RowKey.of(3_000_000_000L), PeRun.rows(TABLE.name()).get(0).getRow());
  }

  @Test
  void cachingOfTheConfigurationIsIgnoredByHBase() throws Exception {
    TABLE.fill(20);
    String line = "-Dhbase.client.scanner.caching=77 " + TABLE.common() + "--rows=20 scan 1";
    assertEquals(1, PeRun.stock(line).with("\"caching\":30").size());
    assertEquals(1, PeRun.of(line).with("Setting caching=77").size());
  }

  @Test
  void reverseScansOfHBaseBeginAtTheEndInEveryClient() throws Exception {
    TABLE.fill(20);
    try (Table table = PeServer.get().connection().getTable(TableName.valueOf(TABLE.name()))) {
      table.delete(new Delete(RowKey.of(3)));
    }
    // none of HBase's clients comes to the row that is missing
    assertEquals(0, TABLE.stock("--rows=10 reverseScan 2").exit());
    assertEquals(1, TABLE.ours("--rows=10 reverseScan 2").exit());
  }

  @Test
  void seeksOfHBaseReadMoreThanAHundredRows() throws Exception {
    assertEquals(0, TABLE.ours("--valueSize=10 --rows=300 --presplit=3 sequentialWrite 1").exit());
    String line = "--rows=300 --sampleRate=0.1 randomSeekScan 1";
    // its filter ends after 120 rows of a region, and the next region begins anew
    assertTrue(TABLE.watchStock(line).rowsOfLongestScan() > 120);
    assertEquals(100, TABLE.watchOurs(line).rowsOfLongestScan());
  }

  @Test
  void scansOfHBaseAlwaysAskForMetrics() throws Exception {
    TABLE.fill(20);
    Witness stock = TABLE.watchStock("--rows=20 scan 1");
    assertTrue(stock.scans().get(0).scan().isScanMetricsEnabled());
    Witness ours = TABLE.watchOurs("--rows=20 scan 1");
    assertFalse(ours.scans().get(0).scan().isScanMetricsEnabled());
  }

  @Test
  void optionsOfScansTakeEffectOrAreSaidNotTo() throws Exception {
    TABLE.fill(20);
    for (String test : List.of("scan", "reverseScan", "scanRange10", "filterScan")) {
      Witness ours =
          TABLE.watchOurs("--rows=2 --valueSize=10 --cacheBlocks=false --caching=7 " + test + " 1");
      assertFalse(ours.scans().isEmpty(), test);
      for (Witness.SeenScan seen : ours.scans()) {
        assertFalse(seen.scan().getCacheBlocks(), test);
        assertEquals(7, seen.scan().getCaching(), test);
      }
    }
    String line = "--rows=20 --cacheBlocks=false randomRead 1";
    assertEquals(0, TABLE.stock(line).with("no effect").size());
    assertEquals(1, TABLE.ours(line).with("--cacheBlocks has no effect").size());
  }

  @Test
  void clientsOfHBaseOpenTwoConnectionsEach() throws Exception {
    TABLE.fill(20);
    // one more looks for the table
    assertEquals(1 + 2 * 2, TABLE.watchStock("--rows=10 sequentialRead 2").opened());
    assertEquals(1 + 2, TABLE.watchOurs("--rows=10 sequentialRead 2").opened());
  }

  @Test
  void aClientThatHasMeasuredNothingLowersTheMeanOfHBase() throws Exception {
    TABLE.fill(20);
    String line = "--rows=10 --sampleRate=0.0625 sequentialRead 2";
    PeRun stock = TABLE.stock(line);
    assertEquals(1, stock.with("Num measures (latency) : 0").size());
    assertEquals(1, stock.with("Num measures (latency) : 1").size());
    assertTrue(averageMicros(stock) < meanMicros(stock) - 1, stock.lines()::toString);

    PeRun ours = TABLE.ours(line);
    assertEquals(meanMicros(ours), averageMicros(ours), 1);
  }

  private static double averageMicros(PeRun run) {
    return number(run.with("[ Avg latency (us)]").get(0), "]\\t([0-9]+)");
  }

  /** Of all requests that the clients have measured. */
  private static double meanMicros(PeRun run) {
    List<String> means = run.with("Latency (us) : mean=");
    List<String> counts = run.with("Num measures (latency) : ");
    double micros = 0;
    double measured = 0;
    for (int client = 0; client < means.size(); client++) {
      double count = number(counts.get(client), "Num measures \\(latency\\) : ([0-9]+)");
      micros += count * number(means.get(client), "mean=([0-9.]+)");
      measured += count;
    }
    return micros / measured;
  }

  private static double number(String line, String pattern) {
    Matcher found = Pattern.compile(pattern).matcher(line);
    assertTrue(found.find(), line);
    return Double.parseDouble(found.group(1));
  }

  @Test
  void ratesOfHBaseHaveBytesThatAreNotThere() throws Exception {
    TABLE.fill(1);
    String line = "--valueSize=1000 --rows=10000 scan 1";
    assertEquals(9.8, megabytes(TABLE.stock(line)), 0.2);
    assertEquals(0, megabytes(TABLE.ours(line)), 0.2);
  }

  /** Those of the rate of a run with one client. */
  private static double megabytes(PeRun run) {
    String line = run.with("MB/s)").get(0);
    return number(line, "\\(([0-9.]+) MB/s") * number(line, " in ([0-9]+)ms") / 1000;
  }

  @Test
  void valuesOfHBaseAreEasilyCompressed() throws Exception {
    assertEquals(0, TABLE.stock("--valueSize=1000 --rows=20 sequentialWrite 1").exit());
    assertTrue(compressed() < 0.4);
    TABLE.drop();

    String line = "--profile=random --valueSize=1000 --rows=20 sequentialWrite 1";
    assertEquals(0, TABLE.ours(line).exit());
    assertTrue(compressed() > 0.95);
  }

  /** The part that is left of the table's values. */
  private static double compressed() throws IOException, InterruptedException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    double plain = 0;
    try (OutputStream out = new DeflaterOutputStream(packed)) {
      for (Result row : PeRun.rows(TABLE.name())) {
        out.write(row.value());
        plain += row.value().length;
      }
    }
    return packed.size() / plain;
  }
}

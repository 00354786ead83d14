package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
  private static final String TABLE = "PeDefects";
  private static final String COMMON = "--nomapred --table=" + TABLE + " ";

  /** Five rows of a GiB. */
  private static final String FIFTHS = "--valueSize=10000000 --columns=20 ";

  @BeforeEach
  @AfterEach
  void drop() throws Exception {
    PeRun.drop(TABLE);
  }

  private static PeRun stock(String line) throws Exception {
    return PeRun.stock(COMMON + line);
  }

  private static PeRun ours(String line) throws Exception {
    return PeRun.of(COMMON + line);
  }

  private static void fill(int rows) throws Exception {
    assertEquals(0, ours("--valueSize=10 --rows=" + rows + " sequentialWrite 1").exit());
  }

  private static int rows() throws Exception {
    return PeRun.rows(TABLE).size();
  }

  @Test
  void randomWritesOfHBaseLeaveAThirdOfTheRowsOut() throws Exception {
    assertEquals(0, stock("--valueSize=10 --rows=300 randomWrite 1").exit());
    assertTrue(rows() < 250, () -> "HBASE-5402");
    PeRun.drop(TABLE);

    assertEquals(0, ours("--valueSize=10 --rows=300 randomWrite 1").exit());
    assertEquals(300, rows());
    PeRun.drop(TABLE);

    assertEquals(0, ours("--valueSize=10 --rows=300 --repeatKeys randomWrite 1").exit());
    assertTrue(rows() < 250, () -> "the old way is there for those who compare with old runs");
  }

  @Test
  void randomDeletesOfHBaseLeaveAThirdOfTheRows() throws Exception {
    fill(300);
    assertEquals(0, stock("--rows=300 randomDelete 1").exit());
    assertTrue(rows() > 50);

    assertEquals(0, ours("--rows=300 randomDelete 1").exit());
    assertEquals(0, rows());
  }

  @Test
  void batchesThatAreNotFullAreNeverSentByHBase() throws Exception {
    String line = "--valueSize=10 --rows=25 --autoFlush=true --multiPut=10 sequentialWrite 1";
    assertEquals(0, stock(line).exit());
    assertEquals(20, rows());

    assertEquals(0, ours(line).exit());
    assertEquals(25, rows());
  }

  @Test
  void asynchronousWritesOfHBaseWriteEachRowTwice() throws Exception {
    createWithVersions();
    assertEquals(0, stock("--valueSize=10 --rows=50 asyncSequentialWrite 1").exit());
    assertTrue(cells() > 50);
    PeRun.drop(TABLE);

    createWithVersions();
    assertEquals(0, ours("--valueSize=10 --rows=50 asyncSequentialWrite 1").exit());
    assertEquals(50, cells());
  }

  private static void createWithVersions() throws IOException, InterruptedException {
    try (Admin admin = PeServer.get().connection().getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(TABLE))
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("info0"))
                      .setMaxVersions(5)
                      .build())
              .build());
    }
  }

  private static int cells() throws IOException, InterruptedException {
    int cells = 0;
    try (Table table = PeServer.get().connection().getTable(TableName.valueOf(TABLE));
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result row : scanner) {
        cells += row.size();
      }
    }
    return cells;
  }

  @Test
  void readsOfHBaseDropATableWithAnotherNumberOfRegions() throws Exception {
    fill(20);
    assertEquals(0, stock("--rows=20 --presplit=3 randomRead 1").exit());
    assertEquals(0, rows());
    PeRun.drop(TABLE);

    fill(20);
    assertEquals(0, ours("--rows=20 --presplit=3 randomRead 1").exit());
    assertEquals(20, rows());
  }

  @Test
  void writesOfHBaseDropATableWithAnotherNumberOfRegions() throws Exception {
    fill(20);
    assertEquals(0, stock("--valueSize=10 --rows=1 --presplit=3 sequentialWrite 3").exit());
    assertEquals(3, rows());
    PeRun.drop(TABLE);

    fill(20);
    assertEquals(0, ours("--valueSize=10 --rows=1 --presplit=3 sequentialWrite 3").exit());
    assertEquals(20, rows());
  }

  @Test
  void scansOfHBaseCountRowsThatAreNotThere() throws Exception {
    fill(20);
    PeRun stock = stock("--rows=100 scan 1");
    assertEquals(0, stock.exit());
    assertEquals(1, stock.with("ms over 100 rows").size());

    PeRun ours = ours("--rows=100 scan 1");
    assertEquals(1, ours.exit());
    assertEquals(1, ours.with("ms over 20 rows").size());
  }

  @Test
  void readsOfHBaseCountRowsThatAreNotThere() throws Exception {
    fill(20);
    PeRun stock = stock("--rows=100 sequentialRead 1");
    assertEquals(0, stock.exit());
    assertEquals(0, stock.with("missing").size());

    PeRun ours = ours("--rows=100 sequentialRead 1");
    assertEquals(1, ours.exit());
    assertEquals(1, ours.with("missing: 80").size() - ours.with("failed").size());
  }

  @Test
  void theFirstRequestIsNotMeasuredByHBase() throws Exception {
    fill(20);
    assertEquals(1, stock("--rows=20 sequentialRead 1").with("Num measures (latency) : 19").size());
    assertEquals(1, ours("--rows=20 sequentialRead 1").with("Num measures (latency) : 20").size());
  }

  @Test
  void samplesAreCountedAsIfAllHadBeenReadByHBase() throws Exception {
    fill(20);
    String line = "--rows=20 --sampleRate=0.1 sequentialRead 1";
    assertEquals(1, stock(line).with("ms over 20 rows").size());
    assertEquals(1, ours(line).with("ms over 2 rows").size());
  }

  @Test
  void cyclesAreCountedOnceByHBase() throws Exception {
    fill(20);
    String line = "--rows=20 --cycles=3 sequentialRead 1";
    assertEquals(1, stock(line).with("ms over 20 rows").size());
    assertEquals(1, ours(line).with("ms over 60 rows").size());
  }

  @Test
  void fractionsOfASizeAreCutOffByHBase() throws Exception {
    fill(13);
    assertEquals(0, stock(FIFTHS + "--size=2.6 sequentialDelete 1").exit());
    assertEquals(3, rows());

    fill(13);
    assertEquals(0, ours(FIFTHS + "--size=2.6 sequentialDelete 1").exit());
    assertEquals(0, rows());
  }

  @Test
  void sizesBelowOneAreRefusedByHBase() throws Exception {
    fill(3);
    assertNotEquals(0, stock(FIFTHS + "--size=0.6 sequentialDelete 1").exit());
    assertEquals(0, ours(FIFTHS + "--size=0.6 sequentialDelete 1").exit());
    assertEquals(0, rows());
  }

  @Test
  void rowsThatDoNotComeOutAreForgottenByHBase() throws Exception {
    fill(10);
    assertEquals(0, stock(FIFTHS + "--size=2 sequentialDelete 3").exit());
    assertEquals(1, rows());

    fill(10);
    assertEquals(0, ours(FIFTHS + "--size=2 sequentialDelete 3").exit());
    assertEquals(0, rows());
  }

  @Test
  void rowsBeyondIntsAreRefusedByHBase() throws Exception {
    String line = "--valueSize=10 --rows=1 --startRow=3000000000 sequentialWrite 1";
    assertNotEquals(0, stock(line).exit());

    assertEquals(0, ours(line).exit());
    assertArrayEquals(RowKey.of(3_000_000_000L), PeRun.rows(TABLE).get(0).getRow());
  }

  @Test
  void cachingOfTheConfigurationIsIgnoredByHBase() throws Exception {
    fill(20);
    String line = "-Dhbase.client.scanner.caching=77 " + COMMON + "--rows=20 scan 1";
    assertEquals(1, PeRun.stock(line).with("\"caching\":30").size());
    assertEquals(1, PeRun.of(line).with("Setting caching=77").size());
  }

  @Test
  void reverseScansOfHBaseBeginAtTheEndInEveryClient() throws Exception {
    fill(20);
    try (Table table = PeServer.get().connection().getTable(TableName.valueOf(TABLE))) {
      table.delete(new Delete(RowKey.of(3)));
    }
    // none of HBase's clients comes to the row that is missing
    assertEquals(0, stock("--rows=10 reverseScan 2").exit());
    assertEquals(1, ours("--rows=10 reverseScan 2").exit());
  }
}

package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScanTest extends CompatTest {
  private static final int ROWS = 100;

  @BeforeEach
  void fill() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(
          new Put(row(i))
              .addColumn(F, b("a"), 1, b("a" + i))
              .addColumn(F, b("b"), 1, b("b" + i))
              .addColumn(G, b("c"), 1, b("c" + i)));
      if (i == ROWS / 3) {
        table.put(puts);
        puts.clear();
        admin.flush(name);
      }
    }
    table.put(puts);
  }

  private static byte[] row(int i) {
    return b(String.format("row%03d", i));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 30, 1000})
  void everyCachingSeesEveryRowOnce(int caching) throws Exception {
    List<Result> results = scan(new Scan().setCaching(caching));
    assertEquals(ROWS, results.size());
    for (int i = 0; i < ROWS; i++) {
      assertEquals(
          String.format("row%03d/f:a@1=a%d row%03d/f:b@1=b%d row%03d/g:c@1=c%d", i, i, i, i, i, i),
          show(results.get(i)));
    }
  }

  @Test
  void startAndStopRowsWithEveryInclusion() throws Exception {
    assertEquals("row010 row011", rows(new Scan().withStartRow(row(10)).withStopRow(row(12))));
    assertEquals(
        "row010 row011 row012", rows(new Scan().withStartRow(row(10)).withStopRow(row(12), true)));
    assertEquals(
        "row011 row012", rows(new Scan().withStartRow(row(10), false).withStopRow(row(12), true)));
    assertEquals("row011", rows(new Scan().withStartRow(row(10), false).withStopRow(row(12))));
    assertEquals("row010", rows(new Scan().withStartRow(row(10)).withStopRow(row(10), true)));
    assertEquals("row098 row099", rows(new Scan().withStartRow(row(98))));
    assertEquals("row000", rows(new Scan().withStopRow(row(1))));
    assertEquals("row099", rows(new Scan().withStartRow(b("row0985"))));
  }

  @Test
  void reversedScansDescend() throws Exception {
    assertEquals(
        "row012 row011",
        rows(new Scan().setReversed(true).withStartRow(row(12)).withStopRow(row(10))));
    assertEquals(
        "row012 row011 row010",
        rows(new Scan().setReversed(true).withStartRow(row(12)).withStopRow(row(10), true)));
    assertEquals("row099", rows(new Scan().setReversed(true).setLimit(1)));
    assertEquals(ROWS, scan(new Scan().setReversed(true).setCaching(9)).size());
    assertEquals("row001 row000", rows(new Scan().setReversed(true).withStartRow(b("row0015"))));
  }

  @Test
  void limitsEndTheScan() throws Exception {
    assertEquals("row000 row001 row002", rows(new Scan().setLimit(3)));
    assertEquals("row000 row001 row002", rows(new Scan().setLimit(3).setCaching(2)));
    assertEquals("row050", rows(new Scan().withStartRow(row(50)).setOneRowLimit()));
  }

  @Test
  void batchesCutRowsIntoResults() throws Exception {
    List<Result> results = scan(new Scan().setBatch(2).withStopRow(row(2)));
    assertEquals(4, results.size());
    assertEquals("row000/f:a@1=a0 row000/f:b@1=b0", show(results.get(0)));
    assertEquals("row000/g:c@1=c0", show(results.get(1)));
    assertTrue(results.get(0).mayHaveMoreCellsInRow());
    assertEquals("row001/f:a@1=a1 row001/f:b@1=b1", show(results.get(2)));
  }

  @Test
  void projectionsKeepOtherColumnsOut() throws Exception {
    assertEquals("row000/f:b@1=b0", show(new Scan().addColumn(F, b("b")).setLimit(1)));
    assertEquals(
        "row000/f:a@1=a0 row000/g:c@1=c0",
        show(new Scan().addColumn(F, b("a")).addFamily(G).setLimit(1)));
    assertEquals("", show(new Scan().addColumn(F, b("none"))));
  }

  @Test
  void aSizeLimitMakesManyRepliesAndLosesNothing() throws Exception {
    byte[] large = new byte[3000];
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(row(i)).addColumn(F, b("large"), 1, large));
    }
    table.put(puts);
    List<Result> results = scan(new Scan().setMaxResultSize(10_000));
    assertEquals(ROWS, results.size());
    for (Result result : results) {
      assertEquals(4, result.size());
    }
  }

  @Test
  void partialResultsAreHandedOutWhenAllowed() throws Exception {
    Put wide = new Put(b("wide"));
    for (int q = 0; q < 50; q++) {
      wide.addColumn(F, b(String.format("q%02d", q)), 1, new byte[1000]);
    }
    table.put(wide);
    int cells = 0;
    int parts = 0;
    try (ResultScanner scanner =
        table.getScanner(
            new Scan()
                .withStartRow(b("wide"))
                .setAllowPartialResults(true)
                .setMaxResultSize(5000))) {
      for (Result part : scanner) {
        cells += part.size();
        parts++;
      }
    }
    assertEquals(50, cells);
    assertTrue(parts > 1, "parts: " + parts);
    assertEquals(50, scan(new Scan().withStartRow(b("wide")).setMaxResultSize(5000)).get(0).size());
  }

  @Test
  void aScanSeesTheTableAsItWasWhenOpened() throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1).setMaxResultSize(1))) {
      assertNotNull(scanner.next());
      table.put(new Put(row(60)).addColumn(F, b("a"), 2, b("later")));
      table.put(new Put(b("row0605")).addColumn(F, b("a"), 2, b("later")));
      admin.flush(name);
      int rows = 1;
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        rows++;
        assertTrue(!Bytes.toString(result.getValue(F, b("a"))).equals("later"), show(result));
      }
      assertEquals(ROWS, rows);
    }
  }

  @Test
  void aRenewedScannerGoesOn() throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().setCaching(2))) {
      assertEquals("row000", Bytes.toString(scanner.next().getRow()));
      assertTrue(scanner.renewLease());
      assertEquals("row001", Bytes.toString(scanner.next().getRow()));
      assertEquals("row002", Bytes.toString(scanner.next().getRow()));
    }
  }

  @Test
  void cellsCountVersionsPerColumn() throws Exception {
    table.put(new Put(row(5)).addColumn(F, b("a"), 2, b("new")));
    assertEquals(
        "row005/f:a@2=new row005/f:a@1=a5",
        show(
            new Scan()
                .withStartRow(row(5))
                .withStopRow(row(6))
                .addColumn(F, b("a"))
                .readAllVersions()));
    assertEquals(
        "row005/f:a@1=a5",
        show(
            new Scan()
                .withStartRow(row(5))
                .withStopRow(row(6))
                .addColumn(F, b("a"))
                .setTimeRange(0, 2)));
  }

  @Test
  void scanMetricsCountRows() throws Exception {
    Scan scan = new Scan().setScanMetricsEnabled(true);
    try (ResultScanner scanner = table.getScanner(scan)) {
      int rows = 0;
      while (scanner.next() != null) {
        rows++;
      }
      assertEquals(ROWS, rows);
      assertEquals(ROWS, scanner.getScanMetrics().countOfRowsScanned.get());
    }
  }

  @Test
  void nothingComesAfterTheEnd() throws Exception {
    try (ResultScanner scanner = table.getScanner(new Scan().withStartRow(b("s")))) {
      assertNull(scanner.next());
      assertNull(scanner.next());
    }
  }
}

package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tables that HBase's class drops and ours leaves as they are, each shown by a run of both. */
final class StockTableDefectsTest {
  private static final DefectTable TABLE = new DefectTable("PeTableDefects");

  @BeforeEach
  @AfterEach
  void drop() throws Exception {
    TABLE.drop();
  }

  @Test
  void readsOfHBaseDropATableWithAnotherNumberOfRegions() throws Exception {
    TABLE.fill(20);
    assertEquals(0, TABLE.stock("--rows=20 --presplit=3 randomRead 1").exit());
    assertEquals(0, TABLE.rows());
    TABLE.drop();

    TABLE.fill(20);
    assertEquals(0, TABLE.ours("--rows=20 --presplit=3 randomRead 1").exit());
    assertEquals(20, TABLE.rows());
  }

  @Test
  void writesOfHBaseDropATableWithAnotherNumberOfRegions() throws Exception {
    TABLE.fill(20);
    assertEquals(0, TABLE.stock("--valueSize=10 --rows=1 --presplit=3 sequentialWrite 3").exit());
    assertEquals(3, TABLE.rows());
    TABLE.drop();

    TABLE.fill(20);
    assertEquals(0, TABLE.ours("--valueSize=10 --rows=1 --presplit=3 sequentialWrite 3").exit());
    assertEquals(20, TABLE.rows());
  }

  @Test
  void readsOfHBaseDropATableWithAnotherNumberOfFamilies() throws Exception {
    String line = "--rows=20 --families=2 randomRead 1";
    TABLE.fill(20);
    assertEquals(0, TABLE.stock(line).exit());
    assertEquals(0, TABLE.rows());
    TABLE.drop();

    TABLE.fill(20);
    assertEquals(1, TABLE.ours(line).exit());
    assertEquals(20, TABLE.rows());
  }

  @Test
  void deletesOfHBaseDropATableWithAnotherSplitPolicy() throws Exception {
    String policy = ConstantSizeRegionSplitPolicy.class.getName();
    String line = "--rows=1 --splitPolicy=" + policy + " sequentialDelete 1";
    TABLE.fill(20);
    assertEquals(0, TABLE.stock(line).exit());
    assertEquals(0, TABLE.rows());
    TABLE.drop();

    TABLE.fill(20);
    assertEquals(0, TABLE.ours(line).exit());
    assertEquals(19, TABLE.rows());
  }
}

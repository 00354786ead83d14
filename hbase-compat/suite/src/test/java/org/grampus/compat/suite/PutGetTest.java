package org.grampus.compat.suite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PutGetTest extends CompatTest {
  @Test
  void aPutIsReadBackWithTheServersTime() throws Exception {
    long before = System.currentTimeMillis();
    table.put(new Put(b("r")).addColumn(F, Q, b("v")));
    long after = System.currentTimeMillis();
    Result result = table.get(new Get(b("r")));
    assertArrayEquals(b("v"), result.getValue(F, Q));
    long timestamp = result.rawCells()[0].getTimestamp();
    assertTrue(
        before <= timestamp && timestamp <= after, before + " <= " + timestamp + " <= " + after);
  }

  @Test
  void versionsComeNewestFirstAndNoMoreThanAskedFor() throws Exception {
    for (long ts = 1; ts <= 7; ts++) {
      table.put(new Put(b("r")).addColumn(F, Q, ts, b("v" + ts)));
    }
    assertEquals("r/f:q@7=v7", show(table.get(new Get(b("r")))));
    assertEquals(
        "r/f:q@7=v7 r/f:q@6=v6 r/f:q@5=v5", show(table.get(new Get(b("r")).readVersions(3))));
    assertEquals(5, table.get(new Get(b("r")).readAllVersions()).size());
  }

  @Test
  void timeRangesAreHalfOpen() throws Exception {
    for (long ts = 1; ts <= 5; ts++) {
      table.put(new Put(b("r")).addColumn(F, Q, ts, b("v" + ts)));
    }
    assertEquals(
        "r/f:q@3=v3 r/f:q@2=v2",
        show(table.get(new Get(b("r")).readAllVersions().setTimeRange(2, 4))));
    assertEquals("r/f:q@4=v4", show(table.get(new Get(b("r")).setTimestamp(4))));
    assertEquals("", show(table.get(new Get(b("r")).setTimeRange(9, 12))));
    assertEquals(
        "r/f:q@1=v1",
        show(table.get(new Get(b("r")).readAllVersions().setColumnFamilyTimeRange(F, 0, 2))));
  }

  @Test
  void theSameTimestampKeepsTheLastWrite() throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 5, b("one")));
    table.put(new Put(b("r")).addColumn(F, Q, 5, b("two")));
    assertEquals("r/f:q@5=two", show(table.get(new Get(b("r")).readAllVersions())));
    admin.flush(name);
    table.put(new Put(b("r")).addColumn(F, Q, 5, b("three")));
    assertEquals("r/f:q@5=three", show(table.get(new Get(b("r")).readAllVersions())));
  }

  @Test
  void familiesAndQualifiersComeInByteOrder() throws Exception {
    table.put(
        new Put(b("r"))
            .addColumn(G, b("a"), 1, b("1"))
            .addColumn(F, b("z"), 1, b("2"))
            .addColumn(F, b("a"), 1, b("3"))
            .addColumn(F, b(""), 1, b("4")));
    assertEquals("r/f:@1=4 r/f:a@1=3 r/f:z@1=2 r/g:a@1=1", show(table.get(new Get(b("r")))));
    assertEquals("r/f:@1=4", show(table.get(new Get(b("r")).addColumn(F, b("")))));
    assertEquals("r/g:a@1=1", show(table.get(new Get(b("r")).addFamily(G))));
  }

  @Test
  void aMissingRowIsAnEmptyResult() throws Exception {
    assertTrue(table.get(new Get(b("none"))).isEmpty());
    assertFalse(table.exists(new Get(b("none"))));
    table.put(new Put(b("r")).addColumn(F, Q, b("")));
    assertTrue(table.exists(new Get(b("r"))));
    assertEquals(0, table.get(new Get(b("r"))).getValue(F, Q).length);
    boolean[] exists = table.exists(List.of(new Get(b("r")), new Get(b("none"))));
    assertTrue(exists[0] && !exists[1]);
  }

  @Test
  void storeLimitAndOffsetCountCellsOfAFamily() throws Exception {
    Put put = new Put(b("r"));
    for (char q = 'a'; q <= 'f'; q++) {
      put.addColumn(F, b("" + q), 1, b("v"));
    }
    table.put(put);
    assertEquals(
        "r/f:c@1=v r/f:d@1=v",
        show(
            table.get(
                new Get(b("r")).setMaxResultsPerColumnFamily(2).setRowOffsetPerColumnFamily(2))));
  }

  @Test
  void anUnknownFamilyIsRefused() throws Exception {
    assertThrows(
        NoSuchColumnFamilyException.class, () -> table.get(new Get(b("r")).addFamily(b("nope"))));
    assertThrows(
        NoSuchColumnFamilyException.class,
        () -> table.put(new Put(b("r")).addColumn(b("nope"), Q, b("v"))));
    List<Put> batch =
        List.of(
            new Put(b("good")).addColumn(F, Q, b("v")),
            new Put(b("bad")).addColumn(b("nope"), Q, b("v")));
    RetriesExhaustedWithDetailsException error =
        assertThrows(RetriesExhaustedWithDetailsException.class, () -> table.put(batch));
    assertEquals(1, error.getNumExceptions());
    assertTrue(
        error.getCause(0) instanceof NoSuchColumnFamilyException, error.getCause(0).toString());
    assertTrue(table.exists(new Get(b("good"))));
  }

  @Test
  void aCellBeyondTheServersLimitIsRefused() throws Exception {
    byte[] large = new byte[11 << 20];
    assertThrows(
        DoNotRetryIOException.class, () -> table.put(new Put(b("r")).addColumn(F, Q, large)));
    assertTrue(table.get(new Get(b("r"))).isEmpty());
  }

  @Test
  void aLargeValueComesBackWhole() throws Exception {
    byte[] large = new byte[4 << 20];
    new java.util.Random(7).nextBytes(large);
    table.put(new Put(b("r")).addColumn(F, Q, large));
    assertArrayEquals(large, table.get(new Get(b("r"))).getValue(F, Q));
    admin.flush(name);
    assertArrayEquals(large, table.get(new Get(b("r"))).getValue(F, Q));
  }

  @ParameterizedTest
  @EnumSource(
      value = Durability.class,
      names = {"USE_DEFAULT", "SKIP_WAL", "ASYNC_WAL", "SYNC_WAL", "FSYNC_WAL"})
  void everyDurabilityIsVisibleAfterTheAck(Durability durability) throws Exception {
    table.put(new Put(b("r")).addColumn(F, Q, 1, b("v")).setDurability(durability));
    assertEquals("r/f:q@1=v", show(table.get(new Get(b("r")))));
  }

  @Test
  void batchesOfPutsAndGetsKeepTheirOrder() throws Exception {
    List<Put> puts = new ArrayList<>();
    List<Get> gets = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      puts.add(new Put(b("r" + i)).addColumn(F, Q, 1, b("v" + i)));
      gets.add(new Get(b("r" + (499 - i))));
    }
    table.put(puts);
    Result[] results = table.get(gets);
    for (int i = 0; i < 500; i++) {
      assertEquals("r" + (499 - i) + "/f:q@1=v" + (499 - i), show(results[i]));
    }
    assertEquals(500, scan(new Scan()).size());
  }

  @Test
  void readsSeeMemoryAndFilesAsOne() throws Exception {
    table.put(new Put(b("r")).addColumn(F, b("a"), 1, b("file")));
    admin.flush(name);
    table.put(
        new Put(b("r")).addColumn(F, b("b"), 1, b("memory")).addColumn(F, b("a"), 0, b("old")));
    assertEquals("r/f:a@1=file r/f:b@1=memory", show(table.get(new Get(b("r")))));
    assertEquals(
        "r/f:a@1=file r/f:a@0=old r/f:b@1=memory",
        show(table.get(new Get(b("r")).readAllVersions())));
  }
}

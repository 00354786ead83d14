package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.mapreduce.InputSplit;
import org.grampus.engine.NativeArrowStruct;
import org.grampus.mapreduce.columns.ArrowBatches;
import org.grampus.mapreduce.columns.BatchRequest;
import org.grampus.mapreduce.columns.SplitBatches;
import org.grampus.mapreduce.columns.TableBatches;
import org.junit.jupiter.api.Test;

/** Batches have what a scan through the server returns, and leave no snapshot and no memory. */
class BatchesTest extends DownloadCase {
  private BatchRequest request() {
    return BatchRequest.of(name).columns(COLUMNS);
  }

  /** The rows of all splits in their order. */
  private List<List<String>> rows(BatchRequest request) throws IOException {
    try (TableBatches batches = TableBatches.open(configuration(), request);
        BufferAllocator allocator = new RootAllocator()) {
      List<List<String>> rows = new ArrayList<>();
      for (InputSplit split : batches.splits()) {
        try (ArrowBatches reader = new ArrowBatches(allocator, batches.read(split))) {
          while (reader.loadNextBatch()) {
            addAll(rows, reader.getVectorSchemaRoot());
          }
          assertFalse(reader.loadNextBatch(), "the end stays the end");
        }
      }
      assertEquals(0, allocator.getAllocatedMemory());
      return rows;
    }
  }

  private static void addAll(List<List<String>> rows, VectorSchemaRoot root) {
    for (int row = 0; row < root.getRowCount(); row++) {
      List<String> values = new ArrayList<>();
      for (FieldVector column : root.getFieldVectors()) {
        Object value = column.getObject(row);
        values.add(value == null ? null : value.toString());
      }
      rows.add(values);
    }
  }

  private void assertNoSnapshot() throws IOException {
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void columnsOfRegionsAreLookedForSideBySide() throws Exception {
    create(b(row(1)));
    table.put(new Put(b(row(0))).addColumn(F, b("q0"), b("v")));
    table.put(new Put(b(row(1))).addColumn(F, b("q1"), b("v")));
    Configuration conf = configuration();
    MeetingFileSystem.expect(2);
    conf.setClass("fs.meeting.impl", MeetingFileSystem.class, FileSystem.class);
    conf.set("hbase.rootdir", "meeting://" + server.rootDir());
    try (TableBatches batches = TableBatches.open(conf, BatchRequest.of(name))) {
      assertEquals("f:q0,f:q1", batches.mapping());
    }
  }

  @Test
  void batchesHaveTheRowsOfAScan() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    List<List<String>> expected = table(new Scan());
    assertEquals(expected, rows(request()));
    assertEquals(expected, rows(BatchRequest.of(name).ofServers().columns(COLUMNS)));
    assertNoSnapshot();
  }

  @Test
  void batchesCanDoWithoutRowKeys() throws Exception {
    create(b(row(150)), b(row(400)));
    fill(ROWS);
    String columns = COLUMNS.replace(":key=k:string", ":nokey");
    List<List<String>> expected =
        table(new Scan()).stream().map(row -> row.subList(1, row.size())).toList();
    assertEquals(expected, rows(BatchRequest.of(name).columns(columns)));
    assertEquals(expected, rows(BatchRequest.of(name).ofServers().columns(columns)));
  }

  @Test
  void rowsFilterAndTimesAreTheScans() throws Exception {
    create(b(row(150)));
    fill(ROWS);
    Scan scan = new Scan().withStartRow(b(row(100))).withStopRow(b(row(300))).setTimeRange(0, 3);
    scan.setFilter(
        new SingleColumnValueFilter(
            F, b("q0"), CompareOperator.GREATER, new BinaryComparator(b("value2"))));
    List<List<String>> expected = table(new Scan(scan));
    assertTrue(expected.size() > 1 && expected.size() < 200, expected.size() + " rows");
    assertEquals(expected, rows(request().rows(scan)));
    assertEquals(expected, rows(request().ofServers().rows(scan)));
  }

  /** A program may scan more than it wants to have, so that rows come that lack what it wants. */
  @Test
  void rowsComeThatHaveAnyColumnOfTheScan() throws Exception {
    create();
    table.put(new Put(b("a")).addColumn(F, b("q0"), b("x")));
    table.put(new Put(b("b")).addColumn(F, b("q1"), b("y")));
    Scan both = new Scan().addColumn(F, b("q0")).addColumn(F, b("q1"));
    BatchRequest one = BatchRequest.of(name).columns(":key=k:string,f:q0=a:string").rows(both);
    assertEquals(List.of(List.of("a", "x"), Arrays.asList("b", null)), rows(one));
    assertEquals(List.of(List.of("a", "x")), rows(one.rows(new Scan())));
    BatchRequest none = one.columns(":key=k:string");
    assertEquals(List.of(List.of("a"), List.of("b")), rows(none));
    assertEquals(List.of(List.of("a"), List.of("b")), rows(none.ofServers()));
  }

  @Test
  void withoutColumnsThereAreThoseOfTheFiles() throws Exception {
    create();
    fill(10);
    try (TableBatches batches = TableBatches.open(configuration(), BatchRequest.of(name));
        BufferAllocator allocator = new RootAllocator();
        ArrowBatches reader = new ArrowBatches(allocator, batches.read(batches.splits().get(0)))) {
      List<String> names =
          reader.getVectorSchemaRoot().getSchema().getFields().stream()
              .map(Field::getName)
              .toList();
      assertTrue(names.containsAll(List.of("rowkey", "f_q0", "g_new")), names.toString());
    }
  }

  @Test
  void whatCannotBeIsASentence() throws Exception {
    create();
    fill(10);
    assertRefused("number", request().columns("f:q0=a:number"));
    assertRefused("needs a mapping", BatchRequest.of(name).ofServers());
    assertRefused("has a batch", request().rows(new Scan().setBatch(1)));
    assertRefused("f:q0", request().rows(new Scan().addColumn(F, b("q1"))));
    assertThrows(IllegalArgumentException.class, () -> request().ofServers().ofSnapshot("s"));
    BatchRequest wrongType = request().columns("f:q0=a:int");
    IOException error = assertThrows(IOException.class, () -> rows(wrongType));
    assertTrue(error.getMessage().contains("f:q0"), error.getMessage());
    assertNoSnapshot();
  }

  private void assertRefused(String sentence, BatchRequest request) {
    IllegalArgumentException error =
        assertThrows(
            IllegalArgumentException.class, () -> TableBatches.open(configuration(), request));
    assertTrue(error.getMessage().contains(sentence), error.getMessage());
  }

  @Test
  void anInterruptedReaderEnds() throws Exception {
    create();
    fill(10);
    try (TableBatches batches = TableBatches.open(configuration(), request());
        SplitBatches reader = batches.read(batches.splits().get(0))) {
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, reader::next);
      assertTrue(Thread.interrupted());
      try (NativeArrowStruct batch = reader.next()) {
        assertNotNull(batch);
      }
    }
  }

  @Test
  void aBatchIsItsReadersOwn() throws Exception {
    create();
    fill(10);
    NativeArrowStruct batch;
    try (TableBatches batches = TableBatches.open(configuration(), request())) {
      try (SplitBatches reader = batches.read(batches.splits().get(0))) {
        batch = reader.next();
      }
    }
    try (batch) {
      assertTrue(batch.address() != 0);
    }
  }
}

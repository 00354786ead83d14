package org.grampus.compat.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.UnknownProtocolException;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Gets and scans of HBase's client as read specs, read back by the grammar of docs/jni.md. */
class ReadSpecTest {
  private static final byte[] F = Bytes.toBytes("f");
  private static final List<byte[]> FAMILIES = List.of(F, Bytes.toBytes("g"));
  private static final int DEFAULT_GET =
      ReadFlags.GET | ReadFlags.INCLUDE_START | ReadFlags.CACHE_BLOCKS | ReadFlags.LOAD_ON_DEMAND;

  private final ByteBuf out = Unpooled.directBuffer();

  @AfterEach
  void release() {
    out.release();
  }

  private String bytes() {
    return out.readCharSequence(out.readIntLE(), StandardCharsets.ISO_8859_1).toString();
  }

  private void expectHeader(int flags, String start, String stop) {
    assertEquals(1, out.readByte(), "version");
    assertEquals(0, out.readMedium());
    assertEquals(flags, out.readIntLE(), "flags");
    assertEquals(start, bytes());
    assertEquals(stop, bytes());
  }

  private void expectInts(int... values) {
    for (int value : values) {
      assertEquals(value, out.readIntLE());
    }
  }

  private void expectLongs(long... values) {
    for (long value : values) {
      assertEquals(value, out.readLongLE());
    }
  }

  private void write(Get get) throws IOException {
    GetAdapter.write(ProtobufUtil.toGet(get), FAMILIES, true, out);
  }

  private boolean write(Scan scan) throws IOException {
    return ScanAdapter.write(ProtobufUtil.toScan(scan), FAMILIES, out);
  }

  @Test
  void plainGet() throws IOException {
    write(new Get(Bytes.toBytes("r")));
    expectHeader(DEFAULT_GET, "r", "");
    expectInts(1, -1, 0, -1);
    expectLongs(0, 0, Long.MAX_VALUE);
    expectInts(0, 0);
    assertEquals(0, out.readableBytes());
  }

  @Test
  void aGetWithTheAttributeOfARawScanIsRaw() throws IOException {
    Get get = new Get(Bytes.toBytes("r"));
    new Scan().setRaw(true).getAttributesMap().forEach(get::setAttribute);
    write(get);
    expectHeader(DEFAULT_GET | ReadFlags.RAW, "r", "");
    assertThrows(DoNotRetryIOException.class, () -> write(get.addColumn(F, F)));
  }

  @Test
  void getWithColumnsSortsThem() throws IOException {
    Get get =
        new Get(Bytes.toBytes("r"))
            .addFamily(Bytes.toBytes("g"))
            .addColumn(F, Bytes.toBytes("z"))
            .addColumn(F, Bytes.toBytes("a"))
            .readVersions(3)
            .setMaxResultsPerColumnFamily(5)
            .setRowOffsetPerColumnFamily(2)
            .setTimeRange(10, 20)
            .setColumnFamilyTimeRange(F, 11, 12);
    get.setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
    get.setCacheBlocks(false);
    get.setCheckExistenceOnly(true);
    get.setFilter(new PrefixFilter(F));
    write(get);
    expectHeader(
        ReadFlags.GET
            | ReadFlags.INCLUDE_START
            | ReadFlags.READ_UNCOMMITTED
            | ReadFlags.EXISTENCE_ONLY
            | ReadFlags.LOAD_ON_DEMAND,
        "r",
        "");
    expectInts(3, 5, 2, -1);
    expectLongs(0, 10, 20);
    expectInts(2);
    assertEquals("f", bytes());
    assertEquals(1, out.readByte(), "has a range");
    expectLongs(11, 12);
    assertEquals(0, out.readByte(), "not all qualifiers");
    expectInts(2);
    assertEquals("a", bytes());
    assertEquals("z", bytes());
    assertEquals("g", bytes());
    assertEquals(0, out.readByte(), "has no range");
    assertEquals(1, out.readByte(), "all qualifiers");
    expectInts(0);
    expectInts(6);
    assertEquals(9, out.readByte(), "prefix filter");
    assertEquals("f", bytes());
    assertEquals(0, out.readableBytes());
  }

  @Test
  void familyRangeWithoutColumnsNamesAllFamilies() throws IOException {
    write(new Get(Bytes.toBytes("r")).setColumnFamilyTimeRange(F, 1, 2));
    out.skipBytes(8 + 4 + 1 + 4 + 16 + 24);
    expectInts(2);
    assertEquals("f", bytes());
    assertEquals(1, out.readByte());
  }

  @Test
  void scanBoundsAndAttributes() throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(Bytes.toBytes("z"), false)
            .withStopRow(Bytes.toBytes("a"), true)
            .setReversed(true)
            .setRaw(true)
            .setBatch(4)
            .setLoadColumnFamiliesOnDemand(false);
    scan.setCacheBlocks(false);
    write(scan);
    expectHeader(ReadFlags.REVERSED | ReadFlags.RAW | ReadFlags.INCLUDE_STOP, "z", "a");
    expectInts(1, -1, 0, 4);
  }

  @Test
  void onlyReadTypePreadReadsNothingAhead() throws IOException {
    for (Scan.ReadType type : Scan.ReadType.values()) {
      out.clear();
      write(new Scan().setReadType(type));
      boolean ahead = (out.getIntLE(4) & ReadFlags.NO_READ_AHEAD) == 0;
      assertEquals(type != Scan.ReadType.PREAD, ahead, type.name());
    }
  }

  @Test
  void oldScanOfOneRowIncludesIt() throws IOException {
    ClientProtos.Scan scan =
        ProtobufUtil.toScan(
                new Scan().withStartRow(F, true).withStopRow(F, false).setCacheBlocks(true))
            .toBuilder()
            .clearIncludeStopRow()
            .build();
    ScanAdapter.write(scan, FAMILIES, out);
    assertTrue((out.getIntLE(4) & ReadFlags.INCLUDE_STOP) != 0);
  }

  @Test
  void rowFiltersAreReportedAndForbidBatches() throws IOException {
    Scan scan = new Scan().setFilter(new SingleColumnValueFilter(F, F, CompareOperator.EQUAL, F));
    assertTrue(write(scan));
    ClientProtos.Scan batched =
        ProtobufUtil.toScan(new Scan().setFilter(new PageFilter(3))).toBuilder()
            .setBatchSize(5)
            .build();
    IOException error =
        assertThrows(IOException.class, () -> ScanAdapter.write(batched, FAMILIES, out));
    assertTrue(error.getMessage().contains("IncompatibleFilterException"));
  }

  @Test
  void requestsThatCannotSucceedAreRefused() throws IOException {
    ClientProtos.Get get = ProtobufUtil.toGet(new Get(F));
    assertThrows(
        UnknownProtocolException.class,
        () ->
            GetAdapter.write(
                get.toBuilder().setClosestRowBefore(true).build(), FAMILIES, true, out));
    Scan raw = new Scan().setRaw(true).addColumn(F, F);
    assertThrows(DoNotRetryIOException.class, () -> write(raw));
  }
}

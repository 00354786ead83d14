package org.grampus.compat.filter.pattern;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto.MutationType;
import org.apache.hadoop.hbase.shaded.protobuf.generated.FilterProtos.Filter;
import org.apache.hadoop.hbase.util.Bytes;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.compat.read.GetAdapter;
import org.grampus.compat.read.ScanAdapter;
import org.grampus.engine.CallStatus;
import org.grampus.engine.EngineConfig;
import org.grampus.engine.FamilyDescription;
import org.grampus.engine.NativeEngine;
import org.grampus.engine.NativeRegion;
import org.grampus.engine.NativeScanner;
import org.grampus.engine.PatternCompiler;
import org.grampus.engine.RegionDescription;
import org.grampus.engine.ScanInfo;
import org.grampus.engine.ScanLimits;
import org.grampus.engine.StopReason;

/** A region of the engine with a value for each number, read through the adapters with a filter. */
final class ValueTable implements AutoCloseable {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final List<byte[]> FAMILIES = List.of(F);
  private static final int OUT_BYTES = 1 << 22;

  private final ByteBuf ops = Unpooled.directBuffer();
  private final ByteBuf cells = Unpooled.directBuffer();
  private final ByteBuf spec = Unpooled.directBuffer();
  private final ByteBuf out = Unpooled.directBuffer(OUT_BYTES);
  private final ScanInfo info = new ScanInfo();
  private final NativeEngine engine;
  private final NativeRegion region;

  ValueTable(Path root, PatternCompiler patterns) throws IOException {
    Path wals = Files.createDirectories(root.resolve("WALs/server"));
    Path archive = Files.createDirectories(root.resolve("oldWALs"));
    Path directory = root.resolve("data/default/t/region");
    Files.createDirectories(directory.resolve("f"));
    engine = NativeEngine.open(EngineConfig.DEFAULTS, patterns);
    engine.startWal(wals.toString(), archive.toString(), "server");
    region =
        engine.openRegion(
            new RegionDescription(
                new RegionDescription.Place(
                    "t",
                    "region",
                    root.toString(),
                    directory.toString(),
                    null,
                    new byte[0],
                    new byte[0]),
                RegionDescription.RowOrder.BYTES,
                false,
                false,
                true,
                1,
                null,
                new RegionDescription.Limits(null, null, null, null),
                List.of(
                    new FamilyDescription(
                        F,
                        new FamilyDescription.Versions(1, 0, null, "FALSE", false, 0),
                        new FamilyDescription.Files("NONE", null, 65536, "NONE"),
                        null,
                        null,
                        null))));
  }

  static byte[] row(int number) {
    return Bytes.toBytes(number);
  }

  void put(int number, byte[] value, long timestamp) throws IOException {
    MutationBatchWriter batch = new MutationBatchWriter(ops, cells);
    batch.start(0, true);
    Put put = new Put(row(number)).addColumn(F, Q, timestamp, value);
    MutationAdapter.write(
        ProtobufUtil.toMutation(MutationType.PUT, put),
        new RequestCells().reset(null),
        FAMILIES,
        batch);
    batch.finish();
    mutate(batch);
  }

  private void mutate(MutationBatchWriter batch) {
    region.mutate(
        1,
        ops.nioBuffer(0, ops.writerIndex()),
        batch.cells().nioBuffer(batch.cellsStart(), batch.cellsLength()),
        out.nioBuffer(0, OUT_BYTES));
  }

  /** The numbers of the rows that a scan with the filter returns. */
  BitSet scan(Filter filter) throws IOException {
    BitSet found = new BitSet();
    spec.clear();
    ScanAdapter.write(
        ProtobufUtil.toScan(new Scan()).toBuilder().setFilter(filter).build(), FAMILIES, spec);
    ScanLimits limits =
        new ScanLimits().count(Integer.MAX_VALUE, 0).size(Long.MAX_VALUE).time(60_000);
    try (NativeScanner scanner = region.openScanner(spec.nioBuffer(0, spec.writerIndex()))) {
      do {
        long result = scanner.next(limits, out.nioBuffer(0, OUT_BYTES), info);
        collect(CallStatus.bytes(result), found);
      } while (info.stopReason() != StopReason.END);
    }
    return found;
  }

  private void collect(int bytes, BitSet found) throws IOException {
    CellCursor cursor = new CellCursor();
    cursor.reset(out.setIndex(0, bytes), 0);
    while (cursor.next()) {
      found.set(out.getInt(cursor.rowOffset()));
    }
  }

  /** The status of a get that may not wait, or that may. */
  int getStatus(int number, Filter filter, boolean mayBlock) throws IOException {
    spec.clear();
    GetAdapter.write(
        ProtobufUtil.toGet(new Get(row(number))).toBuilder().setFilter(filter).build(),
        FAMILIES,
        mayBlock,
        spec);
    long result = region.get(spec.nioBuffer(0, spec.writerIndex()), out.nioBuffer(0, OUT_BYTES));
    return CallStatus.status(result);
  }

  @Override
  public void close() {
    region.close(false);
    engine.close();
    ops.release();
    cells.release();
    spec.release();
    out.release();
  }
}

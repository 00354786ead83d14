package org.grampus.perf.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.compat.read.GetAdapter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Calls into the engine, its work included: a row that is not there is the crossing and little
 * else.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CrossingBench {
  private static final int BYTES = 4096;

  private BenchRegion table;
  private ByteBuffer absent;
  private ByteBuffer[] gets;
  private MutationBatchWriter batch;
  private ByteBuf ops;
  private ByteBuf cells;
  private int next;
  private long token = BenchRegion.ROWS;

  private final ByteBuffer out = ByteBuffer.allocateDirect(BYTES);

  /** For JMH. */
  public CrossingBench() {}

  /** Opens and fills the region. */
  @Setup
  public void open() throws IOException {
    table = new BenchRegion();
    absent = spec(new Get(BenchRegion.absentRow()));
    gets = new ByteBuffer[BenchRegion.ROWS];
    for (int row = 0; row < gets.length; row++) {
      gets[row] = spec(new Get(Requests.row(row)));
    }
    ops = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
    cells = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
    batch = new MutationBatchWriter(ops, cells);
    batch.start(0, true);
    ClientProtos.MutationProto put = Requests.put(7).getMutation();
    MutationAdapter.write(put, new RequestCells().reset(null), Requests.FAMILIES, batch);
    batch.finish();
  }

  private static ByteBuffer spec(Get get) throws IOException {
    ByteBuf spec = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
    try {
      GetAdapter.write(ProtobufUtil.toGet(get), Requests.FAMILIES, true, spec);
      ByteBuffer copy = ByteBuffer.allocateDirect(spec.writerIndex());
      spec.readBytes(copy);
      return copy.flip();
    } finally {
      spec.release();
    }
  }

  /** A get of a row that the bloom filter denies. */
  @Benchmark
  public long getOfAbsentRow() {
    return table.region().get(absent, out);
  }

  /** A get of a row of 1,000 bytes from the block cache, each time of another row. */
  @Benchmark
  public long get() {
    next = (next + 7919) % gets.length;
    return table.region().get(gets[next], out);
  }

  /** A put of 1,000 bytes, until the write-ahead log has it. */
  @Benchmark
  public void put() {
    table.apply(++token, batch, out);
  }

  /** Closes the region and removes its files. */
  @TearDown
  public void close() throws IOException {
    table.close();
    ops.release();
    cells.release();
  }
}

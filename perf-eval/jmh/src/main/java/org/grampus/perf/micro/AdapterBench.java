package org.grampus.perf.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Get;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Scan;
import org.grampus.compat.mutate.MutationAdapter;
import org.grampus.compat.mutate.MutationBatchWriter;
import org.grampus.compat.mutate.RequestCells;
import org.grampus.compat.read.GetAdapter;
import org.grampus.compat.read.ScanAdapter;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** HBase's messages to the engine's requests. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AdapterBench {
  private static final int BYTES = 4096;

  private final Get get = Requests.get(7).getGet();
  private final MutationProto put = Requests.put(7).getMutation();
  private final Scan scan = Requests.scan();
  private final ByteBuf spec = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
  private final ByteBuf ops = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
  private final ByteBuf cells = PooledByteBufAllocator.DEFAULT.directBuffer(BYTES);
  private final MutationBatchWriter batch = new MutationBatchWriter(ops, cells);
  private final RequestCells requestCells = new RequestCells();

  /** For JMH. */
  public AdapterBench() {}

  /** A get of one column. */
  @Benchmark
  public int get() throws IOException {
    spec.clear();
    GetAdapter.write(get, Requests.FAMILIES, false, spec);
    return spec.writerIndex();
  }

  /** A scan of one column. */
  @Benchmark
  public int scan() throws IOException {
    spec.clear();
    ScanAdapter.write(scan, Requests.FAMILIES, spec);
    return spec.writerIndex();
  }

  /** A put of 1,000 bytes, its cell in the message. */
  @Benchmark
  public int put() throws IOException {
    batch.start(0, false);
    MutationAdapter.write(put, requestCells.reset(null), Requests.FAMILIES, batch);
    batch.finish();
    return batch.cellsLength();
  }

  /** Frees the buffers. */
  @TearDown
  public void release() {
    spec.release();
    ops.release();
    cells.release();
  }
}

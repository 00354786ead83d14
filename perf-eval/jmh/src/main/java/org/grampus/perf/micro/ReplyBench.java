package org.grampus.perf.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Result;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.CellBlockMeta;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.grampus.compat.protocol.CellCursor;
import org.grampus.compat.protocol.Frames;
import org.grampus.compat.protocol.KeyValueReader;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** The reply to a get of one cell of 1,000 bytes, in a cell block and in the message. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ReplyBench {
  private final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
  private final CellCursor cursor = new CellCursor();
  private final ByteBuf block = block();

  /** For JMH. */
  public ReplyBench() {}

  private ByteBuf block() {
    KeyValue cell =
        new KeyValue(Requests.row(7), Requests.FAMILY, Requests.QUALIFIER, 1L, Requests.value());
    ByteBuf out = allocator.directBuffer(2 * Requests.VALUE_BYTES);
    return out.writeInt(cell.getLength())
        .writeBytes(cell.getBuffer(), cell.getOffset(), cell.getLength());
  }

  /** The head of a reply whose cell follows as it came from the engine. */
  @Benchmark
  public int cellBlock() {
    ResponseHeader header =
        ResponseHeader.newBuilder()
            .setCallId(1)
            .setCellBlockMeta(CellBlockMeta.newBuilder().setLength(block.readableBytes()))
            .build();
    Result counted = Result.newBuilder().setAssociatedCellCount(1).setStale(false).build();
    return written(header, counted, block.readableBytes());
  }

  /** A reply with the cell as a message, for clients without cell blocks. */
  @Benchmark
  public int message() throws IOException {
    Result.Builder result = Result.newBuilder().setStale(false);
    KeyValueReader.addCells(cursor.reset(block, block.readerIndex()), 1, result);
    return written(ResponseHeader.newBuilder().setCallId(1).build(), result.build(), 0);
  }

  private int written(ResponseHeader header, Result result, int cellBytes) {
    GetResponse response = GetResponse.newBuilder().setResult(result).build();
    ByteBuf head = Frames.writeHead(allocator, header, response, cellBytes);
    try {
      return head.readableBytes();
    } finally {
      head.release();
    }
  }

  /** Frees the cell block. */
  @TearDown
  public void release() {
    block.release();
  }
}

package org.grampus.perf.micro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.GetRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.CodedOutputStream;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.protocol.Frames;
import org.grampus.compat.protocol.MessageShape;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** A frame to its header and its message, and the look at what a message will take on the heap. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class DecodeBench {
  private static final MessageShape PUT = MessageShape.of(MutateRequest.getDescriptor());

  private ByteBuf get;
  private ByteBuf put;
  private int putMessage;
  private int putLength;

  /** For JMH. */
  public DecodeBench() {}

  /** Encodes the frames. */
  @Setup
  public void encode() throws IOException {
    get = frame("Get", Requests.get(7));
    put = frame("Mutate", Requests.put(7));
    Frames.readMessage(put, Frames.readLength(put), RequestHeader.getDefaultInstance());
    putLength = Frames.readLength(put);
    putMessage = put.readerIndex();
  }

  private static ByteBuf frame(String method, Message param) throws IOException {
    RequestHeader header =
        RequestHeader.newBuilder()
            .setCallId(1)
            .setMethodName(method)
            .setRequestParam(true)
            .setTimeout(60_000)
            .setPriority(0)
            .build();
    byte[] bytes = new byte[length(header) + length(param)];
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    out.writeMessageNoTag(header);
    out.writeMessageNoTag(param);
    out.checkNoSpaceLeft();
    return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
  }

  private static int length(Message message) {
    return CodedOutputStream.computeMessageSizeNoTag(message);
  }

  /** A get of one column. */
  @Benchmark
  public void get(Blackhole hole) throws IOException {
    decode(get, GetRequest.getDefaultInstance(), hole);
  }

  /** A put of 1,000 bytes, its cell in the message. */
  @Benchmark
  public void put(Blackhole hole) throws IOException {
    decode(put, MutateRequest.getDefaultInstance(), hole);
  }

  /** The estimate of what the put's message takes on the heap. */
  @Benchmark
  public long estimateOfPut() throws IOException {
    return PUT.estimate(put, putMessage, putLength, Long.MAX_VALUE);
  }

  private static void decode(ByteBuf frame, Message prototype, Blackhole hole) throws IOException {
    frame.readerIndex(0);
    int headerLength = Frames.readLength(frame);
    hole.consume(Frames.readMessage(frame, headerLength, RequestHeader.getDefaultInstance()));
    hole.consume(Frames.readMessage(frame, Frames.readLength(frame), prototype));
  }

  /** Frees the frames. */
  @TearDown
  public void release() {
    get.release();
    put.release();
  }
}

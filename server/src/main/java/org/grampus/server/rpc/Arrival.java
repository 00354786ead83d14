package org.grampus.server.rpc;

import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.grampus.server.memory.CallMemory;

/**
 * A request whose header has been read.
 *
 * @param connection where it came from
 * @param header its header
 * @param frame what follows the header; its receiver releases it
 * @param frameBytes size of the whole frame
 * @param memory what is reserved for it so far
 * @param receivedNanos when it had arrived, as {@link System#nanoTime}
 */
record Arrival(
    Connection connection,
    RequestHeader header,
    ByteBuf frame,
    int frameBytes,
    CallMemory memory,
    long receivedNanos) {}

package org.grampus.server.netty;

import io.netty.buffer.ByteBuf;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.rpc.Connection;
import org.grampus.server.rpc.ErrorReply;

/** Replies that belong to no call and carry the call id -1. */
final class ConnectionReplies {
  private static final int CONNECTION_CALL_ID = -1;

  private ConnectionReplies() {}

  static ByteBuf message(Connection connection, Message message) {
    ResponseHeader header = ResponseHeader.newBuilder().setCallId(CONNECTION_CALL_ID).build();
    return Frames.writeHead(connection.allocator(), header, message, 0);
  }

  static ByteBuf error(Connection connection, Throwable error, String text) {
    return callError(connection, CONNECTION_CALL_ID, error, text);
  }

  static ByteBuf callError(Connection connection, int callId, Throwable error, String text) {
    ResponseHeader header =
        ResponseHeader.newBuilder()
            .setCallId(callId)
            .setException(ErrorReply.of(error, text))
            .build();
    return Frames.writeHead(connection.allocator(), header, null, 0);
  }
}

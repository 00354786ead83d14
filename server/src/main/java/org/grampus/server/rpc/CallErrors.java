package org.grampus.server.rpc;

import java.io.IOException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.protocol.Frames;
import org.grampus.server.netty.Connection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The errors that calls are answered with, as HBase's clients know them. Any thread. */
final class CallErrors {
  private static final Logger LOG = LoggerFactory.getLogger(CallErrors.class);

  private CallErrors() {}

  static String unreadable(Connection connection, Throwable error) {
    return "Unable to read call parameter from client "
        + connection.address()
        + "; "
        + error.getMessage();
  }

  static IOException queueFull() {
    return new CallQueueTooBigException("Call queue is full, too many items queued ?");
  }

  static IOException stopping() {
    return new RegionServerStoppedException("The server is stopping");
  }

  /** What a call that failed is answered with; what no client can cause is logged. */
  static Throwable replyFor(Throwable error, Call call) {
    IOException known = ErrorAdapter.adapt(error);
    if (known != null) {
      return known;
    }
    if (error instanceof IllegalArgumentException) {
      LOG.debug("{} of {} is not possible", call.method().name(), call.connection(), error);
    } else {
      LOG.error("{} of {} failed", call.method().name(), call.connection(), error);
    }
    return error instanceof LinkageError
        ? new DoNotRetryIOException(error)
        : new IOException(error.toString(), error);
  }

  /** Answers a request that has not become a call. */
  static void refuse(Connection connection, RequestHeader header, IOException error) {
    refuse(connection, header, error, error.toString());
  }

  static void refuse(Connection connection, RequestHeader header, Throwable error, String text) {
    IOException shown = error instanceof IOException io ? io : new IOException(error);
    ResponseHeader reply =
        ResponseHeader.newBuilder()
            .setCallId(header.getCallId())
            .setException(ErrorReply.of(shown, text))
            .build();
    connection.send(Frames.writeHead(connection.allocator(), reply, null, 0), null);
  }
}

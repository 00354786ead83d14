package org.grampus.server.rpc;

import java.io.IOException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.RequestHeader;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ResponseHeader;
import org.grampus.compat.error.ErrorAdapter;
import org.grampus.compat.protocol.Frames;
import org.grampus.engine.EngineException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors of calls in the form that HBase's clients expect, and the refusal of requests that have
 * not become calls. Stateless; for any thread.
 */
final class CallErrors {
  private static final Logger LOG = LoggerFactory.getLogger(CallErrors.class);

  private CallErrors() {}

  /** The text for a request that cannot be decoded, in HBase's words. */
  static String unreadable(Connection connection, Throwable error) {
    return "Unable to read call parameter from client "
        + connection.address()
        + "; "
        + error.getMessage();
  }

  static IOException queueFull() {
    return new CallQueueTooBigException("Call queue is full, too many items queued ?");
  }

  static IOException noMemory() {
    return new CallQueueTooBigException("No memory for the call now");
  }

  /** Refuses a call that has done nothing, since there is no memory for it; clients try again. */
  static void refuseForMemory(Call call) {
    call.memory().refused();
    call.fail(noMemory());
  }

  static IOException stopping() {
    return new RegionServerStoppedException("The server is stopping");
  }

  /**
   * The exception that a failed call is answered with. An error that only the server can cause is
   * logged.
   */
  static IOException replyFor(Throwable error, Call call) {
    if (error instanceof IllegalArgumentException) {
      LOG.debug("{} of {} is not possible", call.method().name(), call.connection(), error);
    } else if (!(error instanceof EngineException)) {
      LOG.error("{} of {} failed", call.method().name(), call.connection(), error);
    }
    return ErrorAdapter.adapt(error);
  }

  /** Answers a request that has not become a call. */
  static void refuse(Connection connection, RequestHeader header, IOException error) {
    refuse(connection, header, error, error.toString());
  }

  /**
   * Answers a request that has not become a call.
   *
   * @param text what the client shows in place of the error's own
   */
  static void refuse(Connection connection, RequestHeader header, Throwable error, String text) {
    IOException shown = error instanceof IOException io ? io : new IOException(error);
    ResponseHeader reply =
        ResponseHeader.newBuilder()
            .setCallId(header.getCallId())
            .setException(ErrorReply.of(shown, text))
            .build();
    connection.send(Frames.writeHead(connection.allocator(), reply, null, 0));
  }
}

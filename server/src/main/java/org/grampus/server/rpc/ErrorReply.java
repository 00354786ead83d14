package org.grampus.server.rpc;

import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseServerException;
import org.apache.hadoop.hbase.exceptions.RegionMovedException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.RPCProtos.ExceptionResponse;
import org.apache.hadoop.util.StringUtils;

/** The form in which an exception crosses to the client, which makes it again from its name. */
public final class ErrorReply {
  private ErrorReply() {}

  /**
   * An exception with its class, message and stack as text. A call that is refused as a whole for
   * want of memory or room has no stack: its reply must be short while memory is short.
   */
  public static ExceptionResponse of(Throwable error) {
    boolean isRefusal = error instanceof CallQueueTooBigException;
    return of(error, isRefusal ? error.toString() : StringUtils.stringifyException(error));
  }

  /**
   * An exception with another text.
   *
   * @param text what the client shows and, for a few classes, parses; never null
   */
  public static ExceptionResponse of(Throwable error, String text) {
    ExceptionResponse.Builder reply =
        ExceptionResponse.newBuilder()
            .setExceptionClassName(error.getClass().getName())
            .setStackTrace(text)
            .setDoNotRetry(error instanceof DoNotRetryIOException);
    if (error instanceof RegionMovedException moved) {
      reply.setHostname(moved.getHostname()).setPort(moved.getPort());
    } else if (HBaseServerException.isServerOverloaded(error)) {
      reply.setServerOverloaded(true);
    }
    return reply.build();
  }
}

package org.grampus.compat.error;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.MultiActionResultTooLarge;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;

/**
 * Errors to HBase's exceptions, whose class tells a client whether to try again: the one place
 * where a kind of engine error becomes a class. Stateless; any thread.
 */
public final class ErrorAdapter {
  private ErrorAdapter() {}

  /**
   * What a call is answered with that ended with an error: an engine error by its kind, an
   * IOException as it is. Anything else is the server's own failure and may pass, but for a class
   * that is missing.
   */
  public static IOException adapt(Throwable error) {
    if (error instanceof EngineException engine) {
      return withCause(adapt(engine.kind(), engine.getMessage()), engine);
    }
    if (error instanceof IOException io) {
      return io;
    }
    return error instanceof LinkageError
        ? new DoNotRetryIOException(error)
        : new IOException(error.toString(), error);
  }

  /** The same for an engine error, and what was not possible for it, such as "cannot flush r". */
  public static IOException adapt(String failure, EngineException error) {
    return withCause(adapt(error.kind(), failure + ": " + error.getMessage()), error);
  }

  private static IOException withCause(IOException adapted, EngineException error) {
    if (adapted.getCause() == null) {
      adapted.initCause(error);
    }
    return adapted;
  }

  /** HBase's exception for a kind and its sentence. */
  public static IOException adapt(ErrorKind kind, String message) {
    return switch (kind) {
      case BAD_REQUEST -> new DoNotRetryIOException(message);
      case NO_SUCH_FAMILY -> new NoSuchColumnFamilyException(message);
      case WRONG_REGION -> new WrongRegionException(message);
      case BUSY -> new RegionTooBusyException(message);
      case NOT_SERVING -> new NotServingRegionException(message);
      case SANITY -> new FailedSanityCheckException(message);
      case ROW_TOO_BIG -> new RowTooBigException(message);
      case LARGE_ANSWERS -> new MultiActionResultTooLarge(message);
      case CORRUPT, POISONED, IO, TIMEOUT, BUG -> new IOException(message);
    };
  }

  /**
   * HBase's exception for one failed put or delete of a batch. A row outside the region is a failed
   * sanity check there, which the client does not retry.
   */
  public static IOException adaptInBatch(ErrorKind kind, String message) {
    return kind == ErrorKind.WRONG_REGION
        ? new FailedSanityCheckException(message)
        : adapt(kind, message);
  }
}

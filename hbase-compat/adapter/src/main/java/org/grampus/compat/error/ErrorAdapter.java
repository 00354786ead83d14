package org.grampus.compat.error;

import java.io.IOException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RowTooBigException;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;
import org.grampus.engine.EngineException;
import org.grampus.engine.ErrorKind;

/** Engine errors to HBase's exceptions, whose class tells a client whether to try again. */
public final class ErrorAdapter {
  private ErrorAdapter() {}

  /** HBase's exception for an engine error, or null for any other throwable. */
  public static IOException adapt(Throwable error) {
    return error instanceof EngineException engine ? adapt(engine) : null;
  }

  /** HBase's exception for an engine error, with the error as its cause. */
  public static IOException adapt(EngineException error) {
    IOException adapted = adapt(error.kind(), error.getMessage());
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

package org.grampus.compat.suite.history;

import java.net.ConnectException;
import java.util.Set;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.regionserver.WrongRegionException;

/** Tells failures after which an operation was certainly not done from those that leave a doubt. */
final class Failures {
  /** What a server says, or a client finds, before anything is done. */
  private static final Set<Class<?>> NOT_DONE =
      Set.of(
          NotServingRegionException.class,
          RegionTooBusyException.class,
          CallQueueTooBigException.class,
          ServerNotRunningYetException.class,
          WrongRegionException.class,
          ConnectException.class);

  /**
   * What {@code NotServingRegionException} says of a write that was made before a server lost touch
   * with ZooKeeper and is not acknowledged ({@code DurableReply}, docs/design/0024-fence.md).
   */
  private static final String MAY_BE_KEPT = "whether the write is kept is not known";

  private static final int DEPTH_MAX = 20;

  private Failures() {}

  static boolean isNotDone(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
      if (cause.getMessage() != null && cause.getMessage().contains(MAY_BE_KEPT)) {
        return false;
      }
      Throwable here = cause;
      if (NOT_DONE.stream().anyMatch(kind -> kind.isInstance(here))) {
        return true;
      }
      cause =
          cause instanceof RetriesExhaustedWithDetailsException details
                  && details.getNumExceptions() == 1
              ? details.getCause(0)
              : cause.getCause();
    }
    return false;
  }
}

package org.grampus.server.hadoop;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.grampus.server.env.Env;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the file of another writer. HBase's own ({@code RecoverLeaseFSUtils}) sleeps four seconds in
 * each, and returns after fifteen minutes as if the file were closed; this one fails then.
 */
final class LeaseRecovery implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseRecovery.class);

  /** The name node begins a recovery; a second call within 90 s does not disturb it. */
  private static final Duration AGAIN = Duration.ofSeconds(30);

  private static final Duration PAUSE_MIN = Duration.ofMillis(100);
  private static final Duration PAUSE_MAX = Duration.ofSeconds(1);

  private final Duration timeout;
  private volatile boolean closed;

  /** Recoveries that fail after a time. */
  LeaseRecovery(Duration timeout) {
    this.timeout = timeout;
  }

  /**
   * Waits until a file is closed, by its writer or by the file system.
   *
   * @throws FileNotFoundException when it is not there
   * @throws IOException when it is not closed in time or before {@link #close}, or the file system
   *     has no such recovery
   */
  void recover(FileSystem fs, Path file) throws IOException {
    if (!(fs instanceof DistributedFileSystem dfs)) {
      throw new IOException(
          "the lease of "
              + file
              + " cannot be recovered: its file system is "
              + fs.getClass().getName()
              + "; logs must be on HDFS");
    }
    long begun = Env.nanos();
    IOException last = null;
    while (!closed && since(begun).compareTo(timeout) < 0) {
      try {
        if (dfs.recoverLease(file) || closes(dfs, file)) {
          if (since(begun).compareTo(PAUSE_MIN) > 0) {
            LOG.info("{} is closed after {} ms", file, since(begun).toMillis());
          }
          return;
        }
      } catch (SocketTimeoutException e) { // also an InterruptedIOException, and no interrupt
        last = pauseAfter(file, e);
      } catch (FileNotFoundException | InterruptedIOException | AccessControlException e) {
        throw e; // no time changes it
      } catch (IOException e) {
        last = pauseAfter(file, e);
      }
    }
    throw new IOException(
        "the lease of " + file + " is not recovered after " + since(begun).toMillis() + " ms",
        last);
  }

  /** Lets the recoveries that are under way fail: their file systems are about to be closed. */
  @Override
  public void close() {
    closed = true;
  }

  private static IOException pauseAfter(Path file, IOException e) throws InterruptedIOException {
    LOG.info("the lease of {} is not recovered yet: {}", file, e.toString());
    pause(PAUSE_MAX);
    return e;
  }

  /**
   * Deletes the file of a writer that does not end it, whose lease would keep it open, and its
   * space reserved, for as long as this process lives. No file is no failure.
   *
   * @throws IOException when it is not deleted in time
   */
  void delete(FileSystem fs, Path file) throws IOException {
    long begun = Env.nanos();
    IOException last = null;
    Duration pause = PAUSE_MAX;
    while (!closed && since(begun).compareTo(timeout) < 0) {
      try {
        fs.delete(file, false);
        return;
      } catch (SocketTimeoutException e) {
        last = e;
      } catch (InterruptedIOException | AccessControlException e) {
        throw e;
      } catch (IOException e) {
        last = e;
      }
      LOG.info("{} is not deleted yet: {}", file, last.toString());
      pause(pause);
      pause = pause.compareTo(AGAIN) < 0 ? pause.multipliedBy(2) : pause;
    }
    throw new IOException(file + " is not deleted after " + since(begun).toMillis() + " ms", last);
  }

  /** Looks until the file is closed, or it is time to ask for it again. */
  private boolean closes(DistributedFileSystem dfs, Path file) throws IOException {
    long begun = Env.nanos();
    Duration pause = PAUSE_MIN;
    while (!closed && since(begun).compareTo(AGAIN) < 0) {
      pause(pause);
      if (dfs.isFileClosed(file)) {
        return true;
      }
      pause = pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0 ? pause.multipliedBy(2) : PAUSE_MAX;
    }
    return false;
  }

  private static Duration since(long begun) {
    return Duration.ofNanos(Env.nanos() - begun);
  }

  private static void pause(Duration time) throws InterruptedIOException {
    try {
      Env.sleep(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted during the recovery of a lease");
    }
  }
}

package org.grampus.mapreduce.snapshot;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The snapshots that this process has taken for itself and still has to remove. The end of the
 * process closes all of them. Each new one closes those whose jobs have ended since, so that a
 * process that submits jobs without end keeps no more than those of jobs that run. Any thread.
 */
final class OpenSnapshots {
  private static final Logger LOG = LoggerFactory.getLogger(OpenSnapshots.class);

  private static final OpenSnapshots OF_PROCESS = new OpenSnapshots();

  /** A connection may need the file systems, which close at the end as well. */
  private static final int HOOK_PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;

  private static final int HOOK_SECONDS = 30;

  private final Set<OwnSnapshot> open = new LinkedHashSet<>();
  private boolean hasHook;

  private OpenSnapshots() {}

  static OpenSnapshots ofProcess() {
    return OF_PROCESS;
  }

  /**
   * Adds a snapshot that is about to be taken.
   *
   * @throws IllegalStateException at the end of the process, which closes no further ones
   */
  synchronized void add(OwnSnapshot snapshot) {
    if (ShutdownHookManager.get().isShutdownInProgress()) {
      throw new IllegalStateException(
          "snapshot " + snapshot.name() + " is not taken, because the process ends");
    }
    if (!hasHook) {
      ShutdownHookManager.get()
          .addShutdownHook(this::closeAll, HOOK_PRIORITY, HOOK_SECONDS, TimeUnit.SECONDS);
      hasHook = true;
    }
    open.add(snapshot);
  }

  /** Forgets a snapshot that is closed. */
  synchronized void remove(OwnSnapshot snapshot) {
    open.remove(snapshot);
  }

  /** Those that are not closed, the oldest first. */
  synchronized List<OwnSnapshot> all() {
    return List.copyOf(open);
  }

  /** Closes those that no job needs any more. What cannot be closed is a warning. */
  void closeNeedless() {
    all().forEach(OwnSnapshot::closeIfNeedless);
  }

  /** Each in a thread of its own: one whose servers do not answer must not keep the others. */
  private void closeAll() {
    List<Thread> closers =
        all().stream().map(snapshot -> new Thread(snapshot::closeAtExit)).toList();
    closers.forEach(Thread::start);
    try {
      for (Thread closer : closers) {
        closer.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.warn("snapshots {} may stay until their time to live is over", names());
    }
  }

  private List<String> names() {
    return all().stream().map(OwnSnapshot::name).toList();
  }
}

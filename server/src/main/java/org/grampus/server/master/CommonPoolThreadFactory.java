package org.grampus.server.master;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;

/**
 * Makes the workers of the JVM's common pool in the root thread group, whichever thread needs them
 * first.
 *
 * <p>A worker of the pool otherwise joins the group of the thread that asked for it and stays for a
 * minute after its last task. Hadoop's statistics of local files use the pool, procedures of the
 * master read and write files, and HBase's {@code ProcedureExecutor.join} takes any thread that is
 * left in its group for a procedure that did not end, which it logs as an error.
 *
 * <p>Named by the system property {@code java.util.concurrent.ForkJoinPool.common.threadFactory} in
 * {@code bin/grampus}; the pool constructs it. Safe for any thread.
 */
public final class CommonPoolThreadFactory implements ForkJoinWorkerThreadFactory {
  private final ThreadGroup root = rootGroup();

  /** A worker in the root group. */
  @Override
  public ForkJoinWorkerThread newThread(ForkJoinPool pool) {
    // The constructor takes the group of the thread that runs it.
    AtomicReference<ForkJoinWorkerThread> worker = new AtomicReference<>();
    Thread maker =
        new Thread(
            root,
            () -> worker.set(ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool)),
            "common-pool-thread-maker");
    maker.start();
    Uninterruptibles.joinUninterruptibly(maker);
    // Null, when the thread could not be made, tells the pool to do without it.
    return worker.get();
  }

  private static ThreadGroup rootGroup() {
    ThreadGroup group = Thread.currentThread().getThreadGroup();
    while (group.getParent() != null) {
      group = group.getParent();
    }
    return group;
  }
}

package org.grampus.compat.suite;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.assignment.AssignmentManager;
import org.apache.hadoop.hbase.master.assignment.RegionStateNode;

/**
 * Ends the master's process, where the environment variable {@link #VARIABLE} is set, when a
 * truncation of a region has stored that it will close the region, and has not asked for it.
 */
@CoreCoprocessor
public final class HaltBeforeClose implements MasterCoprocessor, MasterObserver {
  static final String VARIABLE = "GRAMPUS_TEST_HALT_BEFORE_CLOSE";

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  @Override
  public void preTruncateRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> context, RegionInfo region) {
    if (System.getenv(VARIABLE) == null) {
      return;
    }
    CountDownLatch locked = new CountDownLatch(1);
    RegionStateNode node = assignments(context).getRegionStates().getRegionStateNode(region);
    Thread thread = new Thread(() -> haltWithLock(node, locked), "halt-before-close");
    thread.setDaemon(true);
    thread.start();
    try {
      locked.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @SuppressWarnings("deprecation") // there is no other way from a coprocessor to the master
  private static AssignmentManager assignments(
      ObserverContext<MasterCoprocessorEnvironment> context) {
    return ((HasMasterServices) context.getEnvironment())
        .getMasterServices()
        .getAssignmentManager();
  }

  /** The procedure has stored its state before it waits for the lock. */
  private static void haltWithLock(RegionStateNode region, CountDownLatch locked) {
    region.lock();
    locked.countDown();
    while (Thread.getAllStackTraces().entrySet().stream().noneMatch(HaltBeforeClose::waits)) {
      Thread.onSpinWait();
    }
    Runtime.getRuntime().halt(1);
  }

  private static boolean waits(Map.Entry<Thread, StackTraceElement[]> thread) {
    return thread.getKey().getName().startsWith("PEWorker")
        && Stream.of(thread.getValue()).anyMatch(HaltBeforeClose::isLockOfRegion);
  }

  private static boolean isLockOfRegion(StackTraceElement frame) {
    return frame.getClassName().equals(RegionStateNode.class.getName())
        && frame.getMethodName().equals("lock");
  }
}

package org.grampus.server.metrics;

import java.util.concurrent.atomic.LongAdder;
import org.grampus.server.rpc.Call;

/**
 * Requests since the start by method, as HBase counts them: a Multi or a scanner's call once,
 * whatever is in it, and those of administrators in the sum. Any thread.
 */
final class RequestTotals {
  private final LongAdder all = new LongAdder();
  private final LongAdder gets = new LongAdder();
  private final LongAdder scans = new LongAdder();
  private final LongAdder fullScans = new LongAdder();
  private final LongAdder multis = new LongAdder();
  private final LongAdder mutates = new LongAdder();

  /** Counts a call that has ended. */
  void add(Call call) {
    switch (call.connection().service().name()) {
      case "ClientService" -> {
        all.increment();
        addOfClient(call.method().name());
      }
      case "AdminService" -> all.increment();
      default -> {} // HBase counts no requests for the registry
    }
  }

  private void addOfClient(String method) {
    switch (method) {
      case "Get" -> gets.increment();
      case "Scan" -> scans.increment();
      case "Multi" -> multis.increment();
      case "Mutate" -> mutates.increment();
      default -> {} // in the sum only
    }
  }

  /** Counts a call of a scanner whose rows include all of its region. */
  void addFullScan() {
    fullScans.increment();
  }

  long all() {
    return all.sum();
  }

  long gets() {
    return gets.sum();
  }

  long scans() {
    return scans.sum();
  }

  long fullScans() {
    return fullScans.sum();
  }

  long multis() {
    return multis.sum();
  }

  long mutates() {
    return mutates.sum();
  }
}

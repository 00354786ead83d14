package org.grampus.server.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.grampus.server.service.OperationObserver.ScannedCall;
import org.junit.jupiter.api.Test;

class ScanBatchTest {
  @Test
  void aBatchIsCountedWhenItIsFullOrHandedOver() {
    List<ScannedCall> counted = new ArrayList<>();
    ScanBatch batch = new ScanBatch((table, call) -> counted.add(call));
    List<ScannedCall> added = new ArrayList<>();
    for (int i = 0; i <= ScanBatch.HELD_MAX; i++) {
      ScannedCall call = new ScannedCall(i, i, i);
      batch.add(null, call);
      added.add(call);
    }
    assertEquals(added.subList(0, ScanBatch.HELD_MAX), counted);
    batch.handOver();
    assertEquals(added, counted);
    batch.handOver();
    assertEquals(added, counted, "once each");
  }
}

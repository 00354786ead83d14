package org.grampus.perf.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class WarningsTest {
  private static final String NATIVE =
      "2026-11-22T16:48:00,960 WARN  [main] util.NativeCodeLoader: Unable to load native-hadoop"
          + " library for your platform... using builtin-java classes where applicable";
  private static final String STALL =
      "2026-11-22T16:48:00,960 WARN  [engine-log] engine.stall: writes are slowed down: region"
          + " 0123456789abcdef0123456789abcdef has 17 files";

  @Test
  void whatHBasePrintsTooIsExpected() {
    assertEquals(Set.of(), Warnings.unexpected(List.of(NATIVE)));
  }

  @Test
  void kindsAreToldWithoutNumbersAndNames() {
    assertEquals(
        Set.of("WARN engine.stall: writes are slowed down: region"),
        Warnings.unexpected(List.of(NATIVE, STALL, STALL.replace("17", "18"))));
  }

  @Test
  void aLateMachineIsToldOfAndExpected() {
    String late =
        "2026-11-22T16:48:00,960 WARN  [SyncThread:0] persistence.FileTxnLog: fsync-ing the write"
            + " ahead log in SyncThread:0 took 1204ms which will adversely effect operation"
            + " latency.File size is 65552 bytes.";
    String slow =
        "2026-11-22T16:48:00,960 WARN  [rpc-loop-2-1] slowlog.SlowLog: (responseTooSlow):"
            + " {\"call\":\"Multi(hbase.pb.MultiRequest)\", \"processingtimems\":10234}";
    assertEquals(
        1, Warnings.unexpected(List.of(NATIVE, late, slow)).size(), "a call that hangs is ours");
    assertEquals(
        Set.of("WARN persistence.FileTxnLog: fsync-ing the write ahead log"),
        Warnings.ofLateMachine(List.of(NATIVE, late, slow)));
  }

  @Test
  void anEventOfAClosingSessionIsOfALateMachine() {
    String event =
        "2026-11-26T21:30:55,844 ERROR [main-EventThread] zookeeper.ClientCnxn: Error while calling"
            + " watcher.";
    assertEquals(Set.of(), Warnings.unexpected(List.of(event)));
    assertEquals(1, Warnings.ofLateMachine(List.of(event)).size());
  }

  @Test
  void onlyTheLevelCounts() {
    assertEquals(
        Set.of(), Warnings.of(List.of("2026-11-22T16:48:00,960 INFO  [main] x.Y: no WARNING")));
  }
}

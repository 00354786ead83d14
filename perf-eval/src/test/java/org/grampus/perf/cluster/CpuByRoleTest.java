package org.grampus.perf.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.grampus.perf.process.Daemon;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CpuByRoleTest {
  @Test
  void aProcessThatEndedOrBeganMeanwhileIsNotMistakenForAnother() {
    CpuByRole before = new CpuByRole(Map.of(Role.MASTER, Map.of(1L, 9_000_000L, 2L, 1_000_000L)));
    CpuByRole after = new CpuByRole(Map.of(Role.MASTER, Map.of(2L, 3_000_000L, 3L, 500_000L)));
    assertEquals(2.5, after.secondsSince(before, Role.MASTER));
    assertEquals(0, after.secondsSince(before, Role.NAME_NODE));
  }

  /** The process of a program that has ended. */
  private static long endedPid() throws Exception {
    Process process = new ProcessBuilder("true").start();
    process.waitFor();
    return process.pid();
  }

  @Test
  void processBelowADaemonMayEnd(@TempDir Path directory) throws Exception {
    Daemon daemon = new Daemon("sleep", directory, List.of("sleep", "600"), Map.of());
    daemon.start();
    try {
      List<Long> pids = List.of(daemon.pid(), endedPid());

      assertEquals(Set.of(daemon.pid()), CpuByRole.byProcess(daemon, pids).keySet());
    } finally {
      daemon.kill();
    }
  }

  @Test
  void daemonThatEndedIsNotLeftOut(@TempDir Path directory) throws Exception {
    Daemon daemon = new Daemon("sleep", directory, List.of("sleep", "600"), Map.of());
    daemon.start();
    daemon.kill();

    for (long pid : List.of(daemon.pid(), endedPid())) {
      assertThrows(IOException.class, () -> CpuByRole.byProcess(daemon, List.of(pid)));
    }
  }
}

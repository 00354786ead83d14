package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.process.ProcSample;

/**
 * Processor time that the processes of a cluster have taken so far, by role, process and in µs. A
 * process that ends takes its time with it.
 */
public record CpuByRole(Map<Role, Map<Long, Long>> micros) {
  private static final double MICROS = 1e6;

  /** What the kernel says now. */
  public static CpuByRole of(Cluster cluster) throws IOException {
    Map<Role, Map<Long, Long>> micros = new EnumMap<>(Role.class);
    for (Node node : cluster.nodes()) {
      Map<Long, Long> ofRole = micros.computeIfAbsent(node.role(), role -> new HashMap<>());
      List<Long> pids = node.daemon().processes().map(ProcessHandle::pid).toList();
      for (long pid : node.daemon().runs() ? pids : List.<Long>of()) {
        ofRole.put(pid, ProcSample.of(pid).cpuMicros());
      }
    }
    return new CpuByRole(micros);
  }

  /** What the processes of a role have taken in all, in µs. */
  public long microsOf(Role role) {
    return micros.getOrDefault(role, Map.of()).values().stream().mapToLong(Long::longValue).sum();
  }

  /** Seconds that the processes of a role have taken since, but for those that have ended. */
  public double secondsSince(CpuByRole earlier, Role role) {
    Map<Long, Long> before = earlier.micros.getOrDefault(role, Map.of());
    long taken =
        micros.getOrDefault(role, Map.of()).entrySet().stream()
            .mapToLong(process -> process.getValue() - before.getOrDefault(process.getKey(), 0L))
            .sum();
    return taken / MICROS;
  }
}

package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.grampus.perf.process.Daemon;
import org.grampus.perf.process.ProcSample;

/**
 * Processor time that processes of a cluster have taken so far, by role, process and in µs. A
 * process that ends takes its time with it.
 */
public record CpuByRole(Map<Role, Map<Long, Long>> micros) {
  private static final double MICROS = 1e6;

  /** What the kernel says now of these roles. */
  public static CpuByRole of(Cluster cluster, Set<Role> roles) throws IOException {
    Map<Role, Map<Long, Long>> micros = new EnumMap<>(Role.class);
    for (Node node : cluster.nodes()) {
      if (roles.contains(node.role())) {
        Map<Long, Long> ofRole = micros.computeIfAbsent(node.role(), role -> new HashMap<>());
        ofRole.putAll(byProcess(node.daemon()));
      }
    }
    return new CpuByRole(micros);
  }

  /** What each node of a role has taken, with the processes below it, in µs. */
  public static List<Long> ofEach(Cluster cluster, Role role) throws IOException {
    List<Long> micros = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      if (node.role() == role) {
        micros.add(byProcess(node.daemon()).values().stream().mapToLong(Long::longValue).sum());
      }
    }
    return micros;
  }

  private static Map<Long, Long> byProcess(Daemon daemon) throws IOException {
    List<Long> pids = daemon.processes().map(ProcessHandle::pid).toList();
    return daemon.runs() ? byProcess(daemon, pids) : Map.of();
  }

  /** By process of a daemon that runs; those below it may end at any time. */
  static Map<Long, Long> byProcess(Daemon daemon, List<Long> pids) throws IOException {
    Map<Long, Long> micros = new HashMap<>();
    for (long pid : pids) {
      try {
        micros.put(pid, ProcSample.of(pid).cpuMicros());
      } catch (IOException e) {
        if (pid == daemon.pid() || !daemon.runs()) {
          throw e;
        }
      }
    }
    return micros;
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

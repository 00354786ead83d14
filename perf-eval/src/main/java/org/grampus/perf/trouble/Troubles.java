package org.grampus.perf.trouble;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.grampus.perf.ToolException;
import org.grampus.perf.cluster.Role;

/** The kinds of trouble by name, in the order in which they are caused. */
public final class Troubles {
  private final Map<String, Trouble> all = new LinkedHashMap<>();

  /**
   * All of them but those of the network.
   *
   * @param time for how long each lasts that has no end of its own
   * @param random decides at what moments
   */
  public Troubles(Bench bench, Duration time, Random random) {
    all.put("paused-server", new PausedServer(bench, random));
    all.put("rolling-restart", new RollingRestart(bench));
    all.put("decommission", new Decommission(bench, time));
    all.put("safe-mode", new SafeMode(bench, time));
    all.put("quota", new Quota(bench, time));
    all.put("slow-data-node", new SlowDataNode(bench, time));
    all.put("full-disks", new FullDisks(bench, time));
    all.put("corrupt-replicas", new CorruptReplicas(bench));
  }

  /** Adds those of a network that the cluster of the bench is on. */
  public void addCuts(Bench bench, NetworkNamespace network, Duration time) {
    all.put("no-zookeeper", new CutOff(bench, network, Role.ZOOKEEPER, time));
    all.put("no-name-node", new CutOff(bench, network, Role.NAME_NODE, time));
    all.put("no-data-node", new CutOff(bench, network, Role.DATA_NODE, time));
    all.put("corrupt-replicas", all.remove("corrupt-replicas")); // stays the last one
  }

  /**
   * Those whose names begin with one of these, or all.
   *
   * @throws ToolException when there is none
   */
  public Map<String, Trouble> named(List<String> prefixes) throws ToolException {
    Map<String, Trouble> named = new LinkedHashMap<>(all);
    named
        .keySet()
        .removeIf(name -> !prefixes.isEmpty() && prefixes.stream().noneMatch(name::startsWith));
    if (named.isEmpty()) {
      throw new ToolException("no trouble is called so; there are " + all.keySet());
    }
    return named;
  }
}

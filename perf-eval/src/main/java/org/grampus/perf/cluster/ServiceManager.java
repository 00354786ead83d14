package org.grampus.perf.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.grampus.compat.suite.Violations;

/**
 * Starts what has ended, as systemd would, and says which ends are violations: those of region
 * servers whose session cannot have ended by a pause. For one thread.
 */
public final class ServiceManager {
  private final Cluster cluster;
  private final Violations violations;
  private final Set<Node> mayEnd = new HashSet<>();

  /** One that has started nothing yet. */
  public ServiceManager(Cluster cluster, Violations violations) {
    this.cluster = cluster;
    this.violations = violations;
  }

  /**
   * The session of a region server may have ended while it was paused, so that it ends by itself:
   * once, and before the next fault.
   */
  public void mayEnd(Node node) {
    mayEnd.add(node);
  }

  /** Another fault comes: what ended by the one before has ended. */
  public void mayEndNoMore() {
    mayEnd.clear();
  }

  /**
   * Starts what has ended.
   *
   * @param event what happened before, in a sentence of a violation
   * @return what had ended
   */
  public List<Node> revive(String event) throws IOException {
    List<Node> ended = new ArrayList<>();
    for (Node node : cluster.nodes()) {
      if (!node.daemon().runs()) {
        ended.add(node);
        judge(node, event);
        node.daemon().start();
      }
    }
    return ended;
  }

  private void judge(Node node, String event) {
    if (!mayEnd.remove(node) && node.role() == Role.REGION_SERVER) {
      violations.add(event + ": " + node + " ended by itself; see " + node.daemon().log());
    }
  }
}

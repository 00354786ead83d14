package org.grampus.perf;

import org.apache.hadoop.hbase.PerformanceEvaluation;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * The stock PerformanceEvaluation with a fixed seed: it seeds its random numbers from the clock
 * when its TestBase class is initialised, so the clock stands still for that moment. With one
 * client thread two runs then write the same rows and values.
 */
public final class SeededPerformanceEvaluation {
  private static final long SEED = 42;

  private SeededPerformanceEvaluation() {}

  /** Takes PerformanceEvaluation's own arguments. */
  public static void main(String[] args) throws Exception {
    EnvironmentEdgeManager.injectEdge(() -> SEED);
    Class.forName(PerformanceEvaluation.class.getName() + "$TestBase");
    EnvironmentEdgeManager.reset();
    PerformanceEvaluation.main(args);
  }
}

package org.grampus.perf.stock;

import java.util.ArrayList;
import java.util.List;

/** How the stock PerformanceEvaluation is called. */
public final class PeCommand {
  private static final String CLASS = "org.apache.hadoop.hbase.PerformanceEvaluation";

  private PeCommand() {}

  /** Arguments of {@code bin/grampus run} for its own ones, with clients as threads. */
  public static List<String> arguments(List<String> own) {
    return arguments(CLASS, own);
  }

  /** The same for a class that extends it. */
  public static List<String> arguments(String programClass, List<String> own) {
    List<String> arguments = new ArrayList<>(List.of("run", programClass, "--nomapred"));
    arguments.addAll(own);
    return arguments;
  }
}

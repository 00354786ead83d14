package org.grampus.perf.compare;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.grampus.perf.result.Run;

/** Runs of one row; the n-th of both servers stand beside each other. For one thread. */
record Pairs(List<Run> grampus, List<Run> other) {
  /** What results call the server that is compared with another. */
  static final String GRAMPUS = "grampus";

  Pairs() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  void add(Run run) {
    (run.server().equals(GRAMPUS) ? grampus : other).add(run);
  }

  /** Processor time of an operation, Grampus against the other server. */
  double ratio() {
    return Summary.of(grampus).serverMicros() / Summary.of(other).serverMicros();
  }

  /** Time of an operation by the throughput, Grampus against the other server. */
  double timeRatio() {
    return Summary.of(other).operationsPerSecond() / Summary.of(grampus).operationsPerSecond();
  }

  /** Median latency, Grampus against the other server; NaN where none was measured. */
  double medianRatio() {
    return Summary.of(grampus).p50Micros() / Summary.of(other).p50Micros();
  }

  /** Processor time of an operation by pair. */
  SummaryStatistics ratios() {
    SummaryStatistics ratios = new SummaryStatistics();
    for (int i = 0; i < grampus.size(); i++) {
      ratios.addValue(
          grampus.get(i).serverMicrosPerOperation() / other.get(i).serverMicrosPerOperation());
    }
    return ratios;
  }
}

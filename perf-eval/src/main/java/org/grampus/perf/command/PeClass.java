package org.grampus.perf.command;

import java.util.List;

/** The PerformanceEvaluation of {@code bin/grampus pe}. */
enum PeClass {
  /** HBase's. */
  STOCK,
  /** Ours. */
  OURS;

  /** Arguments of {@code bin/grampus} that come before its own ones. */
  List<String> command() {
    return this == STOCK ? List.of("pe", "--stock") : List.of("pe");
  }
}

package org.grampus.perf.hadoop;

/** Compilers of the JVMs of daemons. */
public enum Compilers {
  /** The first one alone: daemons that do little start sooner and take less of small machines. */
  FIRST(" -XX:TieredStopAtLevel=1"),

  /** Both, as in daemons that run for long. */
  BOTH("");

  private final String options;

  Compilers(String options) {
    this.options = options;
  }

  /** Words for a JVM, each behind a space. */
  String options() {
    return options;
  }
}

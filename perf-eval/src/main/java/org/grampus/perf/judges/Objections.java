package org.grampus.perf.judges;

import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.process.ProgramEnd;

/** Objections that are being collected. For one thread. */
final class Objections {
  private final List<String> found = new ArrayList<>();

  /** To the exit code of a program: 0 alone is good. */
  static Objections of(ProgramEnd end) {
    Objections objections = new Objections();
    objections.unless(end.code() == 0, "exit code " + end.code());
    return objections;
  }

  /** Adds one if something is not true. */
  void unless(boolean isTrue, String objection) {
    if (!isTrue) {
      add(objection);
    }
  }

  void add(String objection) {
    found.add(objection);
  }

  void addAll(List<String> more) {
    found.addAll(more);
  }

  /** The judgement. */
  Judgement with(String counts) {
    return new Judgement(counts, found);
  }
}

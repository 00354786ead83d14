package org.grampus.perf.judges;

import java.util.List;

/**
 * What a judge says.
 *
 * @param counts what it has counted, in words
 * @param objections sentences; none when all is well
 */
public record Judgement(String counts, List<String> objections) {
  /** Copies the objections. */
  public Judgement {
    objections = List.copyOf(objections);
  }
}

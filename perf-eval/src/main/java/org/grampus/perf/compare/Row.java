package org.grampus.perf.compare;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A row of the comparison.
 *
 * @param name as {@code --only} has it
 * @param what in words, for a table
 * @param data the table it is measured on; none where it is measured on no server
 * @param work what its clients do
 * @param aftermath what they leave to the server
 * @param goal none where none was set
 */
public record Row(
    String name,
    String what,
    Optional<DataSet> data,
    Work work,
    Aftermath aftermath,
    Optional<Goal> goal) {
  /** What clients leave to the server, which counts as their work's. */
  enum Aftermath {
    /** Nothing: they only read. */
    NONE,
    /** Work that ends by itself, such as compactions. */
    BACKGROUND_WORK,
    /** Rows that are to be flushed to files. */
    FLUSHED,
    /** Nothing, and one run is enough: what counts is the size of the table. */
    MEASURED_ONCE
  }

  /** A row that has to take no more than a part of the other server's processor time. */
  static Row within(double part, String name, String what, PeWork work, Aftermath aftermath) {
    return new Row(
        name, what, Optional.of(work.table()), work, aftermath, Optional.of(Goal.cpu(part)));
  }

  /** The same with another goal. */
  Row goal(Goal other) {
    return new Row(name, what, data, work, aftermath, Optional.of(other));
  }

  /** The same without a goal. */
  Row withoutGoal() {
    return new Row(name, what, data, work, aftermath, Optional.empty());
  }

  /** Rows of servers by the table they are measured on, both in their order. */
  static Map<DataSet, List<Row>> byData(List<Row> rows) {
    return rows.stream()
        .collect(
            Collectors.groupingBy(
                row -> row.data().orElseThrow(), LinkedHashMap::new, Collectors.toList()));
  }

  /** The same, for which the processor time of an echo and some µs are enough, too. */
  Row orAboveEcho(double micros) {
    return goal(goal.orElseThrow().or(Goal.aboveEcho(micros)));
  }

  /** Whether it is measured on servers, which have its table; else it has processes of its own. */
  boolean hasServers() {
    return data.isPresent();
  }

  /** The name of its table. */
  String table() {
    return data.orElseThrow().table();
  }

  /** Whether its processor time counts: it is warmed up and repeated. */
  boolean isTimed() {
    return aftermath != Aftermath.MEASURED_ONCE;
  }

  @Override
  public String toString() {
    return name;
  }
}

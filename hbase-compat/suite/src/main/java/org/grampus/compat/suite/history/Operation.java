package org.grampus.compat.suite.history;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a client asked of one row: steps that change it, all or none of them, possibly under a
 * condition; without steps a read of the row. Texts are letters, digits and signs that JSON takes
 * as they are.
 *
 * @param condition the column compared, such as {@code f:n}, or null
 * @param expected its value, empty for "no such cell"
 */
record Operation(String row, String condition, String expected, List<Step> steps) {
  /** What a step does to its column. */
  enum Kind {
    PUT("put"),
    DELETE("delete"),
    DELETE_FAMILY("deleteFamily"),
    INCREMENT("increment"),
    APPEND("append");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  /** One change of a column, or of a family. */
  record Step(Kind kind, String column, String value) {
    private String json() {
      return "{\"kind\":\"%s\",\"column\":\"%s\",\"value\":\"%s\"}"
          .formatted(kind.word, column, value);
    }
  }

  /**
   * What the client saw.
   *
   * @param applied false where a condition did not hold
   * @param cells values by column: those of a read, or the new ones of increments and appends
   */
  record Outcome(boolean applied, Map<String, String> cells) {
    private String json() {
      String values =
          cells.entrySet().stream()
              .map(cell -> "\"%s\":\"%s\"".formatted(cell.getKey(), cell.getValue()))
              .collect(Collectors.joining(","));
      return "{\"applied\":%s,\"cells\":{%s}}".formatted(applied, values);
    }
  }

  boolean isRead() {
    return steps.isEmpty();
  }

  /** A line of the history; without an outcome it is not known whether the operation was done. */
  String json(int client, long start, long end, Outcome outcome) {
    String input =
        "{%s\"steps\":[%s]}"
            .formatted(
                condition == null
                    ? ""
                    : "\"condition\":\"%s\",\"expected\":\"%s\",".formatted(condition, expected),
                steps.stream().map(Step::json).collect(Collectors.joining(",")));
    String known = outcome == null ? "" : ",\"end\":" + end + ",\"output\":" + outcome.json();
    return "{\"client\":%d,\"row\":\"%s\",\"start\":%d,\"input\":%s%s}"
        .formatted(client, row, start, input, known);
  }
}

package org.grampus.perf.result;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A Markdown table whose columns are also aligned for a terminal: numbers to the right, text to the
 * left. For one thread.
 */
public final class ResultTable {
  private final List<String> header;
  private final List<List<String>> rows = new ArrayList<>();

  /** With the names of its columns. */
  public ResultTable(String... columns) {
    header = List.of(columns);
  }

  /** A cell by a format of {@link String#format}, with points in fractions whatever the locale. */
  public static String cell(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /**
   * Adds a row.
   *
   * @throws IllegalArgumentException when it has not one cell for each column
   */
  public ResultTable row(String... cells) {
    if (cells.length != header.size()) {
      throw new IllegalArgumentException(cells.length + " cells for " + header);
    }
    rows.add(List.of(cells));
    return this;
  }

  @Override
  public String toString() {
    List<String> lines = new ArrayList<>();
    lines.add(line(header));
    lines.add(
        IntStream.range(0, header.size())
            .mapToObj(column -> "-".repeat(width(column) + 1) + (isNumeric(column) ? ":" : "-"))
            .collect(Collectors.joining("|", "|", "|")));
    rows.forEach(row -> lines.add(line(row)));
    return String.join("\n", lines);
  }

  private String line(List<String> cells) {
    return IntStream.range(0, cells.size())
        .mapToObj(column -> padded(cells.get(column), column))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private String padded(String cell, int column) {
    String space = " ".repeat(width(column) - cell.length());
    return isNumeric(column) ? space + cell : cell + space;
  }

  private int width(int column) {
    int width = header.get(column).length();
    for (List<String> row : rows) {
      width = Math.max(width, row.get(column).length());
    }
    return width;
  }

  private boolean isNumeric(int column) {
    return !rows.isEmpty()
        && rows.stream()
            .map(row -> row.get(column))
            .allMatch(cell -> cell.isEmpty() || Character.isDigit(cell.charAt(0)));
  }
}

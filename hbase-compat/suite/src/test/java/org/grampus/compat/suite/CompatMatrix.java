package org.grampus.compat.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The rows of {@code docs/compat-matrix.md} that have a state. */
record CompatMatrix(List<Row> rows) {
  /** One row of a table under a heading; the name is its first cell that is no state. */
  record Row(String heading, String name, String state) {
    String id() {
      return heading + ": " + name;
    }

    boolean isRefused() {
      return state.startsWith("refused");
    }

    /** Whether Grampus does less than HBase here, as far as the matrix says. */
    boolean isGap() {
      return isRefused()
          || Stream.of("no", "no effect", "partly").anyMatch(state::equals)
          || state.startsWith("answered with");
    }
  }

  /** The rows that a tag means: the one with this id, else all whose id begins so. */
  List<Row> matching(String tag) {
    List<Row> same = rows.stream().filter(row -> row.id().equals(tag)).toList();
    return same.isEmpty() ? rows.stream().filter(row -> row.id().startsWith(tag)).toList() : same;
  }

  static CompatMatrix read(Path page) throws IOException {
    List<Row> rows = new ArrayList<>();
    String heading = "";
    int state = -1;
    for (String line : Files.readAllLines(page)) {
      if (!line.startsWith("|")) {
        heading = line.startsWith("#") ? line.replaceFirst("#+ ", "") : heading;
        state = -1;
        continue;
      }
      List<String> cells = cells(line);
      if (cells.contains("state")) {
        state = cells.indexOf("state");
      } else if (state >= 0 && !line.startsWith("|---")) {
        String said = cells.get(state).replace("*", "");
        rows.add(new Row(heading, cells.get(state == 0 ? 1 : 0), said));
      }
    }
    return new CompatMatrix(rows);
  }

  private static List<String> cells(String line) {
    return Stream.of(line.substring(1).split("(?<!\\\\)\\|")).map(String::trim).toList();
  }
}

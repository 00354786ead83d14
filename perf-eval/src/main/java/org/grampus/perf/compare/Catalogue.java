package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/** All rows, in the order in which they are measured. */
public final class Catalogue {
  /** What rows are called by those who know PerformanceEvaluation's names. */
  private static final Map<String, String> ALIASES =
      Map.of("sequentialWrite", "put-batched", "randomWrite", "put", "randomRead", "get");

  private Catalogue() {}

  /** All rows; those of one table are in line. */
  public static List<Row> all() {
    PeTable rows = PeTable.of("Rows", Sizes::rows, PeTable.Shape.COMPACTED);
    PeTable wide = CallRows.wide("Wide", PeTable.Shape.COMPACTED);
    return Stream.of(
            CallRows.writes(),
            CallRows.atomic(),
            CallRows.reads(rows),
            ScanRows.rows(rows),
            CallRows.columns(wide),
            ScanRows.wide(wide),
            ScanRows.flights(),
            ScanRows.disk(),
            YcsbRows.all(),
            OverloadRows.all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The rows of these names, in their own order; all for none.
   *
   * @param onHdfs whether their goals are those of servers on HDFS
   * @throws ToolException when there is no row of a name
   */
  public static List<Row> select(List<String> names, boolean onHdfs) throws ToolException {
    List<Row> rows = all();
    List<String> wanted = names.stream().map(name -> ALIASES.getOrDefault(name, name)).toList();
    for (String name : wanted) {
      if (rows.stream().noneMatch(row -> means(name, row))) {
        throw new ToolException(
            "unknown row "
                + name
                + "; there are "
                + rows.stream().map(Row::name).collect(Collectors.joining(", ")));
      }
    }
    return rows.stream()
        .filter(row -> wanted.isEmpty() || wanted.stream().anyMatch(name -> means(name, row)))
        .map(row -> onHdfs ? HdfsGoals.of(row) : row)
        .toList();
  }

  /** Rows that only make sense together have a name for all of them, too. */
  private static boolean means(String name, Row row) {
    return row.name().equals(name) || (name.equals(OverloadRows.NAME) && OverloadRows.has(row));
  }
}

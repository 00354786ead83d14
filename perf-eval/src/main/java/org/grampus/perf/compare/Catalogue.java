package org.grampus.perf.compare;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/** All rows, in the order in which they are measured. */
public final class Catalogue {
  /** What rows are called by those who know PerformanceEvaluation's names. */
  private static final Map<String, String> ALIASES =
      Map.of("sequentialWrite", "put-batched", "randomWrite", "put", "randomRead", "get");

  /** With fewer rounds a server that is observed is not judged. */
  public static final int OBSERVED_ROUNDS = 3;

  private static final double OBSERVED_MOST = 1.05;

  private Catalogue() {}

  /** All rows; those of one table are in line. */
  public static List<Row> all() {
    PeTable rows = PeTable.of("Rows", Sizes::rows, PeTable.Shape.COMPACTED);
    PeTable wide = CallRows.wide("Wide", PeTable.Shape.COMPACTED);
    return Stream.of(
            List.of(Echo.row()),
            CallRows.writes(),
            CallRows.atomic(),
            CallRows.reads(rows),
            ScanRows.rows(rows),
            CallRows.columns(wide),
            ScanRows.wide(wide),
            ScanRows.flights(),
            ScanRows.disk(),
            YcsbRows.all(),
            FlatRows.all(),
            OverloadRows.all())
        .flatMap(List::stream)
        .toList();
  }

  /**
   * The rows of these names and the reference rows of their goals, in their own order. No names are
   * all rows, but for what takes long where that is not wanted: it comes by its name.
   *
   * @param onHdfs whether their goals are those of servers on HDFS
   * @param full whether hours may pass
   * @throws ToolException when there is no row of a name
   */
  public static List<Row> select(List<String> names, boolean onHdfs, boolean full)
      throws ToolException {
    List<Row> rows = all().stream().map(row -> onHdfs ? HdfsGoals.of(row) : row).toList();
    List<Row> named = named(rows, names, full);
    Set<String> references =
        named.stream()
            .flatMap(row -> row.goal().stream())
            .flatMap(goal -> goal.references().stream())
            .collect(Collectors.toSet());
    return rows.stream()
        .filter(row -> named.contains(row) || references.contains(row.name()))
        .toList();
  }

  /**
   * The rows of these names alone, without reference rows, in their own order. What takes long is
   * not among the rows of a common name.
   *
   * @throws ToolException when there is no row of a name
   */
  static List<Row> named(List<String> names) throws ToolException {
    return named(all(), names, false);
  }

  private static List<Row> named(List<Row> rows, List<String> names, boolean full)
      throws ToolException {
    List<String> wanted = names.stream().map(name -> ALIASES.getOrDefault(name, name)).toList();
    for (String name : wanted) {
      requireKnown(name, rows);
    }
    return rows.stream().filter(row -> isWanted(row, wanted, full)).toList();
  }

  /**
   * The rows of these names for Grampus beside Grampus, of which one is observed: each has to be as
   * cheap and as fast, but for 5 %. That takes no reference rows. The echo is of no use, and
   * neither is what is the same on both.
   *
   * @param full whether hours may pass
   * @throws ToolException when there is no row of a name, or no other row is among them
   */
  public static List<Row> observed(List<String> names, boolean full) throws ToolException {
    Goal goal = Goal.observed(OBSERVED_MOST, OBSERVED_ROUNDS);
    List<Row> observed =
        named(all(), names, full).stream()
            .filter(row -> row.isTimed() && row.hasServers())
            .map(row -> row.goal(goal))
            .toList();
    if (observed.isEmpty()) {
      throw new ToolException(
          "no row is left for --observed: the echo and sizes of tables are the same on both"
              + " servers");
    }
    return observed;
  }

  /**
   * The rows of these names for two servers that work at once. They have no goals, which are of
   * servers that have the machine for themselves. Rows of overload are not among them, which would
   * have twice their threads, and neither is what is the same on both.
   *
   * @param full whether hours may pass
   * @throws ToolException when there is no row of a name, or no other row is among them
   */
  public static List<Row> atOnce(List<String> names, boolean full) throws ToolException {
    List<Row> rows =
        named(all(), names, full).stream()
            .filter(row -> row.isTimed() && row.hasServers() && !OverloadRows.has(row))
            .map(Row::withoutGoal)
            .toList();
    if (rows.isEmpty()) {
      throw new ToolException(
          "no row is left for --at-once: the echo and sizes of tables are the same on both servers,"
              + " and rows of overload would have twice their threads");
    }
    return rows;
  }

  private static void requireKnown(String name, List<Row> rows) throws ToolException {
    if (rows.stream().noneMatch(row -> means(name, row))) {
      throw new ToolException(
          "unknown row "
              + name
              + "; there are "
              + rows.stream().map(Row::name).collect(Collectors.joining(", ")));
    }
  }

  /** The echo says nothing alone: it comes as a reference row, or by its name. */
  private static boolean isWanted(Row row, List<String> wanted, boolean full) {
    if (wanted.isEmpty()) {
      return row.hasServers() && (full || !FlatRows.has(row));
    }
    boolean spared = FlatRows.isLong(row) && !full;
    return wanted.contains(row.name())
        || (!spared && wanted.stream().anyMatch(name -> means(name, row)));
  }

  /** Rows that only make sense together have a name for all of them, too. */
  private static boolean means(String name, Row row) {
    return row.name().equals(name)
        || (name.equals(OverloadRows.NAME) && OverloadRows.has(row))
        || (name.equals(FlatRows.NAME) && FlatRows.has(row));
  }
}

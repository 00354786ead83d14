package org.grampus.perf.compare;

import static org.grampus.perf.compare.Fixture.row;
import static org.grampus.perf.compare.Fixture.run;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.grampus.perf.result.Commit;
import org.grampus.perf.result.Machine;
import org.grampus.perf.result.Result;
import org.grampus.perf.result.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ComparisonFilesTest {
  private static final List<Run> RUNS =
      List.of(
          run("grampus", "get", 1, 10),
          run("hbase", "get", 1, 20),
          run("grampus", "overload-1", 1, 10),
          run("hbase", "overload-1", 1, 20));
  private static final Comparison COMPARISON =
      new Comparison("HBase", List.of(row("get", Goal.cpu(0.25)), row("overload-1", null)), RUNS);
  private static final Result RESULT =
      new Result(
          Result.SCHEMA,
          "compare --only get",
          "2026-11-22T10:20:30Z",
          new Commit("0123abcd", true),
          new Machine("AMD EPYC", 2, 24_000, "Linux 6.1", "17.0.15"),
          Map.of("memoryMb", 4096L, ComparisonFiles.ROWS, COMPARISON.toMaps()),
          RUNS);

  @TempDir private Path directory;

  @Test
  void pageSaysWhatWasMeasuredWhereAndHow() throws IOException {
    ComparisonFiles.write(directory.resolve("new"), RESULT, COMPARISON);
    String page = Files.readString(directory.resolve("new/compare.md"));

    assertTrue(page.contains("`bin/grampus perf compare --only get`"), page);
    assertTrue(page.contains("commit 0123abcd with changes"), page);
    assertTrue(page.contains("AMD EPYC, 2 cores, 24000 MB"), page);
    assertTrue(page.contains("settings: memoryMb 4096."), page);
    assertTrue(page.contains(COMPARISON.goals().toString()), page);
    assertTrue(page.contains(COMPARISON.figures().toString()), page);
  }

  @Test
  void jsonHasEveryRunAndWhatCameOfEachRow() throws IOException {
    ComparisonFiles.write(directory, RESULT, COMPARISON);
    Result read = Result.parse(Files.readString(directory.resolve("compare.json")));

    assertEquals(RUNS.size(), read.runs().size());
    assertEquals(2, ((List<?>) read.settings().get(ComparisonFiles.ROWS)).size());
  }

  @Test
  void plotsAreDrawn() throws IOException {
    ComparisonPlots.draw(COMPARISON, Schedule.IN_TURN, directory);

    assertEquals(2, charts("cpu"));
    for (String name : List.of("cpu", "latency", "throughput", "memory", "overload")) {
      assertTrue(Files.readString(directory.resolve(name + ".svg")).contains("</svg"), name);
    }
  }

  /** By the height of the picture, whose text is drawn as curves. */
  private int charts(String name) throws IOException {
    String svg = Files.readString(directory.resolve(name + ".svg"));
    Matcher height = Pattern.compile(" height=\"(\\d+)\"").matcher(svg);
    assertTrue(height.find(), svg);
    return Integer.parseInt(height.group(1)) / ComparisonPlots.HEIGHT;
  }

  @Test
  void atOnceOnlyWhatIsMeasuredIsDrawn() throws IOException {
    ComparisonPlots.draw(COMPARISON, Schedule.IN_TURN, directory);
    ComparisonPlots.draw(COMPARISON, Schedule.AT_ONCE, directory);

    assertEquals(1, charts("cpu"), "without the client's");
    assertTrue(Files.exists(directory.resolve("memory.svg")));
    for (String name : List.of("latency", "throughput", "overload")) {
      assertFalse(Files.exists(directory.resolve(name + ".svg")), name);
    }
  }

  @Test
  void axisBeginsBelowTheLeastFigure() {
    assertEquals(0.1, ComparisonPlots.powerBelow(3), 1e-9);
    assertEquals(1, ComparisonPlots.powerBelow(10), 1e-9);
  }
}

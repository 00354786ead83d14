package org.grampus.perf.pe.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;
import org.grampus.perf.stock.PeOutput;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The lines of a run beside those of HBase's class. */
final class LinesTest {
  private static final String TABLE = "PeLines";
  private static final String COMMON = "--nomapred --valueSize=20 --table=" + TABLE + " ";

  /** Lines of HBase's that ours does not have; docs/pe.md lists them. */
  private static final List<String> NOT_OURS =
      List.of("test run options", "Sampling", "No valueSize", "(count)", "(size)", "(latency): ");

  @BeforeAll
  static void fill() throws Exception {
    PeRun.drop(TABLE);
    assertEquals(0, PeRun.of(COMMON + "--rows=100 sequentialWrite 2").exit());
  }

  @AfterAll
  static void drop() throws Exception {
    PeRun.drop(TABLE);
  }

  /** Lines without their figures, each once. */
  private static List<String> shapes(PeRun run) {
    return run.lines().stream()
        .filter(line -> NOT_OURS.stream().noneMatch(line::contains))
        .map(line -> line.replaceAll("\\d+(\\.\\d+)?", "N"))
        .distinct()
        .sorted()
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sequentialRead",
        "randomRead",
        "scan",
        "asyncScan",
        "increment",
        "scanRange10",
        "sequentialWrite",
        "--latencyThreshold=5 randomRead"
      })
  void allLinesOfHBaseAreThere(String test) throws Exception {
    PeRun stock = PeRun.stock(COMMON + "--rows=100 --period=10 " + test + " 2");
    PeRun ours = PeRun.of(COMMON + "--rows=100 --period=10 " + test + " 2");

    List<String> missing =
        shapes(stock).stream()
            .filter(line -> !line.startsWith("Scan for key range"))
            .filter(line -> !shapes(ours).contains(line))
            .toList();

    assertEquals(List.of(), missing);
    assertTrue(shapes(stock).size() > 15, shapes(stock)::toString);
  }

  @Test
  void theToolThatReadsHBasesOutputReadsOurs() throws Exception {
    PeRun run = PeRun.of(COMMON + "--rows=100 randomRead 2");

    PeOutput output = parsed(run);

    assertEquals(200, output.rows());
    assertTrue(output.p50Micros() > 0);
  }

  private static PeOutput parsed(PeRun run) throws ToolException {
    return PeOutput.parse(
        String.join("\n", Stream.concat(run.lines().stream(), Stream.of("")).toList()));
  }
}

package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.ToolException;
import org.grampus.perf.client.ClientFigures;
import org.junit.jupiter.api.Test;

final class PeWorkTest {
  private static final Sizes SIZES = new Sizes(1000, 1, 512);
  private static final PeTable TABLE =
      PeTable.of("T", Sizes::rows, PeTable.Shape.COMPACTED, "--valueSize=10");

  private static List<String> arguments(PeWork work, long operations) {
    return work.arguments(SIZES, operations, Path.of("report"));
  }

  @Test
  void fewCallsTakeAPartOfTheRows() {
    List<String> arguments = arguments(PeWork.calls(TABLE, "randomRead", "--multiGet=10"), 250);

    assertEquals(List.of("pe", "--nomapred", "--table=T", "--rows=250"), arguments.subList(0, 4));
    assertTrue(
        arguments.containsAll(
            List.of(
                "--valueSize=10",
                "--multiGet=10",
                "--report=report",
                "--sampleRate=0.250000",
                "--cycles=1")),
        arguments.toString());
    assertEquals(
        List.of("randomRead", "4"), arguments.subList(arguments.size() - 2, arguments.size()));
  }

  @Test
  void manyCallsTakeTheRowsSeveralTimes() {
    List<String> arguments = arguments(PeWork.calls(TABLE, "randomRead"), 2500);

    assertTrue(arguments.contains("--sampleRate=0.833334"), arguments.toString());
    assertTrue(arguments.contains("--cycles=3"), arguments.toString());
  }

  @Test
  void scansAreOfTheWholeTableByOneClient() {
    List<String> arguments = arguments(PeWork.scans(TABLE), 2600);

    assertTrue(arguments.contains("--rows=1000"), arguments.toString());
    assertTrue(arguments.contains("--cycles=3"), arguments.toString());
    assertTrue(arguments.stream().noneMatch(one -> one.startsWith("--sampleRate")));
    assertTrue(arguments(PeWork.scans(TABLE), 1).contains("--cycles=1"));
  }

  @Test
  void reportIsRead() throws ToolException {
    ClientFigures figures =
        parse(
            """
            {"counts": {"operations": 500, "rows": 500}, "wallClockMillis": 2500,
             "latencyMicros": {"count": 500, "p50.0": 7, "p99.0": 90}}""");

    assertEquals(new ClientFigures(500, 2.5, 7.0, 90.0, 0, 0), figures);
    assertEquals(200, figures.operationsPerSecond());
  }

  @Test
  void reportOfNothingIsAnError() {
    assertThrows(
        ToolException.class,
        () -> parse("{\"counts\": {\"operations\": 0}, \"latencyMicros\": {\"count\": 0}}"));
  }

  private static ClientFigures parse(String json) throws ToolException {
    return PeWork.parse(JsonParser.parseString(json).getAsJsonObject());
  }
}

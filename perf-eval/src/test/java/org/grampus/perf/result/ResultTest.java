package org.grampus.perf.result;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultTest {
  private static final Result RESULT =
      new Result(
          Result.SCHEMA,
          "compare --rows 10 randomRead",
          "2026-11-22T10:20:30Z",
          new Commit("0123abcd", true),
          new Machine("AMD <EPYC>", 2, 24_000, "Linux 6.1", "17.0.15"),
          Map.of("memoryMb", "4096"),
          List.of(
              new Run(
                  "grampus",
                  "randomRead",
                  1,
                  40L,
                  2.5,
                  16.0,
                  0.5,
                  12_500.0,
                  1.25,
                  598.0,
                  null,
                  300L,
                  4_096L,
                  Map.of()),
              Run.ofFigures("grampus", "idle", Map.of("rssMb", 313.0))));

  @TempDir private Path directory;

  @Test
  void jsonReadsBackAsItWas() {
    assertEquals(RESULT, Result.parse(RESULT.toJson()));
  }

  @Test
  void jsonHasTheDocumentedNamesAndNothingUnmeasured() {
    String json = RESULT.toJson();

    for (String name :
        List.of("schema", "command", "date", "commit", "machine", "settings", "runs")) {
      assertTrue(json.contains("\n  \"" + name + "\": "), json);
    }
    assertTrue(json.contains("\"serverMicrosPerOperation\": 12500.0"), json);
    assertFalse(json.contains("p99Micros"), json);
  }

  @Test
  void fileIsNamedByCommandAndDate() throws IOException {
    Path file = RESULT.write(directory.resolve("new"));

    assertEquals("compare-2026-11-22T102030.json", file.getFileName().toString());
    assertEquals(RESULT, Result.parse(Files.readString(file)));
  }

  @Test
  void processorIsNamedWhereTheKernelDoes() {
    assertEquals(
        "AMD EPYC 9V74", Machine.processor("processor\t: 0\nmodel name\t: AMD EPYC 9V74\n"));
    assertEquals(System.getProperty("os.arch"), Machine.processor("processor\t: 0\n"));
  }
}

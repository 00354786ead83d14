package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.grampus.perf.client.SteadyGets;
import org.junit.jupiter.api.Test;

final class FlatWorkTest {
  private static final Sizes SIZES = new Sizes(1000, 1, 512);

  private static Row row(String name) {
    return Catalogue.all().stream()
        .filter(row -> row.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> arguments(String name) {
    return row(name).work().arguments(SIZES, 70, Path.of("report"));
  }

  @Test
  void getsAreOfAllRowsOverAsManyConnections() {
    assertEquals(
        List.of(
            "run",
            SteadyGets.class.getName(),
            "--connections=500",
            "--rows=1000",
            "--operations=70",
            "--report=report",
            "Flat"),
        arguments("flat-connections-500"));
  }

  @Test
  void longerTablesAreGotAsAWhole() {
    assertEquals("--rows=100000", arguments("flat-rows-100").get(3));
  }

  @Test
  void dividedTableIsLoadedInAsManyRegions() {
    PeTable table = (PeTable) row("flat-regions-1000").data().orElseThrow();

    assertEquals(List.of("--valueSize=10", "--presplit=1000"), table.options());
    assertEquals(1000, table.rows().applyAsLong(SIZES));
  }
}

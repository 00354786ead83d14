package org.grampus.perf.pe.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.pe.client.Assignment;
import org.grampus.perf.pe.client.ClientResult;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.client.Times;
import org.grampus.perf.pe.measure.Counts;
import org.grampus.perf.pe.measure.Latencies;
import org.grampus.perf.pe.measure.RowCounts;
import org.grampus.perf.pe.measure.Series;
import org.grampus.perf.pe.option.PeOptions;
import org.junit.jupiter.api.Test;

final class StockLinesTest {
  private final List<String> lines = new ArrayList<>();

  /** Ten rows and two MiB in half a second. */
  private static ClientResult client(PeOptions options, String failure) {
    return new ClientResult(
        Assignment.of(options, 0),
        new Counts(10, new RowCounts(10, 10, 0), 0, 7, 2 << 20),
        new Times(1000, 1500, 500_000_000),
        new Latencies(0),
        new Series(),
        failure);
  }

  private static PeOptions options(String line) {
    return PeOptions.parse(List.of(line.split(" ")));
  }

  private void ended(String failure) {
    PeOptions options = options("--rows=10 randomRead 1");
    new StockLines(options, lines::add).ended(client(options, failure));
  }

  private List<String> with(String text) {
    return lines.stream().filter(line -> line.contains(text)).toList();
  }

  @Test
  void aClientThatEndedIsFinished() {
    ended(null);

    String thread = Thread.currentThread().getName();
    String name = "class org.apache.hadoop.hbase.PerformanceEvaluation$RandomReadTest";
    assertEquals(
        List.of(
            "Finished " + name + " in 500ms at offset 0 for 10 rows (4 MB/s)",
            "Finished " + thread + " in 500ms over 10 rows"),
        with("Finished"));
  }

  @Test
  void aClientThatFailedIsNotFinished() {
    ended("it broke");

    assertEquals(List.of(), with("Finished"));
    assertEquals(2, with("Stopped").size());
  }

  @Test
  void rowsFromReplicasAreSaidWhenThereMayBeSome() {
    for (String given : List.of("--replicas=2 ", "")) {
      PeOptions options = options(given + "--rows=10 randomRead 1");
      new StockLines(options, lines::add)
          .summary(RunResult.of(options, List.of(client(options, null)), List.of()));
    }

    assertEquals(List.of("[results from replica regions] 7"), with("replica"));
  }
}

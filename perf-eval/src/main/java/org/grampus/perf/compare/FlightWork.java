package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.client.TableScans;
import org.grampus.perf.process.ClientRun;

/**
 * Scans of the flights by one client. An operation is a row of the table, also one that a filter
 * drops.
 *
 * @param table what is scanned
 * @param options of {@link TableScans}
 */
record FlightWork(FlightTable table, List<String> options) implements Work {
  FlightWork {
    options = List.copyOf(options);
  }

  @Override
  public long firstOperations(Sizes sizes) {
    return table.rows(sizes);
  }

  @Override
  public List<String> arguments(Sizes sizes, long operations, Path report) {
    long rows = table.rows(sizes);
    long scans = Math.max(1, Math.round((double) operations / rows));
    List<String> arguments = new ArrayList<>(List.of("run", TableScans.class.getName()));
    arguments.addAll(options);
    arguments.addAll(List.of("--rows=" + rows, "--scans=" + scans, "--report=" + report));
    arguments.add(table.table());
    return arguments;
  }

  @Override
  public ClientFigures figures(ClientRun run, Path report) throws IOException {
    return ClientFigures.read(report);
  }
}

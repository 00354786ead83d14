package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.echo.EchoClient;
import org.grampus.perf.process.ClientRun;
import org.grampus.perf.process.MeasuredServer;

/**
 * The row of the echo: the floor of single calls, and the reference row of their goals. It is
 * measured on processes of its own.
 */
final class Echo {
  /** The row's name. */
  static final String NAME = "echo";

  private Echo() {}

  /** Whether a row is this one. */
  static boolean is(Row row) {
    return row.name().equals(NAME);
  }

  static Row row() {
    return new Row(
        NAME,
        "calls that are answered and do nothing",
        new NoTable(),
        new Calls(),
        Row.Aftermath.NONE,
        Optional.empty());
  }

  private record NoTable() implements DataSet {
    @Override
    public String table() {
      return "";
    }

    @Override
    public void load(MeasuredServer server, Bench bench) {}
  }

  private record Calls() implements Work {
    private static final long FIRST = 50_000;

    @Override
    public long firstOperations(Sizes sizes) {
      return FIRST;
    }

    @Override
    public List<String> arguments(Sizes sizes, long operations, Path report) {
      return List.of(
          "run",
          EchoClient.class.getName(),
          "--threads=" + Sizes.CLIENTS,
          "--operations=" + operations,
          "--report=" + report);
    }

    @Override
    public ClientFigures figures(ClientRun run, Path report) throws IOException {
      return ClientFigures.read(report);
    }
  }
}

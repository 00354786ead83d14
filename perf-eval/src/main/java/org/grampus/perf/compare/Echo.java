package org.grampus.perf.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.grampus.perf.client.ClientFigures;
import org.grampus.perf.echo.EchoClient;
import org.grampus.perf.process.ClientRun;

/**
 * The row of the echo: the floor of single calls, and the reference row of their goals. It is
 * measured on processes of its own.
 */
final class Echo {
  /** The row's name. */
  static final String NAME = "echo";

  private Echo() {}

  static Row row() {
    return new Row(
        NAME,
        "calls that are answered and do nothing",
        Optional.empty(),
        new Calls(),
        Row.Aftermath.NONE,
        Optional.empty());
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

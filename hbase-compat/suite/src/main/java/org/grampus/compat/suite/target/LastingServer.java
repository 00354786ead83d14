package org.grampus.compat.suite.target;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** Starts servers that last as long as this JVM: one of them serves all tests of a module. */
public final class LastingServer {
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private LastingServer() {}

  /**
   * Starts a server; returns when it serves. It is killed with the JVM.
   *
   * @param work below which it gets a directory of its own
   * @param settings of the server and its clients
   * @throws IOException when it does not serve in two minutes
   */
  public static ServerProcess start(ServerKind kind, Path work, Map<String, String> settings)
      throws IOException, InterruptedException {
    String prefix = kind.name().toLowerCase(Locale.ROOT);
    Path directory = Files.createTempDirectory(Files.createDirectories(work), prefix);
    ServerProcess process = new ServerProcess(kind, directory, Ports.free(), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> killQuietly(process)));
    process.start();
    process.awaitServing(START_MAX);
    return process;
  }

  private static void killQuietly(ServerProcess process) {
    try {
      process.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

package org.grampus.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.grampus.perf.ToolException;

/**
 * A program that uses a server: {@code bin/grampus} with some arguments, in a process of its own.
 * Immutable but for its environment.
 */
public final class ClientProgram {
  private static final long STOP_SECONDS = 10;

  private final Checkout checkout;
  private final List<String> arguments;
  private final Map<String, String> environment = new LinkedHashMap<>();

  ClientProgram(Checkout checkout, Path confDir, List<String> arguments) {
    this.checkout = checkout;
    this.arguments = List.copyOf(arguments);
    environment.put("GRAMPUS_CONF_DIR", confDir.toString());
  }

  /** Adds a variable to its environment. */
  public ClientProgram environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /**
   * Runs it to its end. No other child of this process may end meanwhile, for its processor time
   * would be taken for the client's.
   *
   * @param log where its output goes, replacing what was there
   * @throws ToolException when it fails, with the end of its output
   */
  public ClientRun run(Path log) throws ToolException, IOException, InterruptedException {
    long childrenBefore = ownSample().childMicros();
    long start = System.nanoTime();
    Process process = start(log);
    int code = process.waitFor();
    long nanos = System.nanoTime() - start;
    String output = new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    if (code != 0) {
      throw new ToolException(this + " failed with exit code " + code + Tail.of(output));
    }
    // The kernel adds a child's time to its parent's account when the parent has waited for it.
    return new ClientRun(output, nanos, ownSample().childMicros() - childrenBefore);
  }

  /** Runs it to its end with the tool's own output; returns its exit code. */
  public int runVisibly() throws IOException, InterruptedException {
    return builder().start().waitFor();
  }

  /** Starts it and returns at once. */
  public Background inBackground(Path log) throws IOException {
    return new Background(start(log), log);
  }

  private static ProcSample ownSample() throws IOException {
    return ProcSample.of(ProcessHandle.current().pid());
  }

  private ProcessBuilder builder() {
    List<String> command = new ArrayList<>(List.of(checkout.grampus()));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(environment);
    return builder.redirectInput(Path.of("/dev/null").toFile());
  }

  private Process start(Path log) throws IOException {
    return builder().redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  @Override
  public String toString() {
    return "grampus " + String.join(" ", arguments);
  }

  /** The program while it runs beside others. */
  public final class Background implements AutoCloseable {
    private final Process process;
    private final Path log;

    private Background(Process process, Path log) {
      this.process = process;
      this.log = log;
    }

    /** Fails when it has ended, which it should not have. */
    public void require() throws ToolException {
      if (!process.isAlive()) {
        throw new ToolException(ClientProgram.this + " has ended too early" + Tail.of(log));
      }
    }

    /** Ends it. */
    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly().waitFor();
        }
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }
}

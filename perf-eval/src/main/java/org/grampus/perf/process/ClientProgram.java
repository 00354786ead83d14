package org.grampus.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/**
 * A program that uses servers, in a process of its own: {@code bin/grampus} with some arguments, or
 * another command. Immutable but for its environment, directory, server and limit.
 */
public final class ClientProgram {
  /** The environment variable that tells a client of a server the server's process. */
  public static final String SERVER_PID = "GRAMPUS_SERVER_PID";

  /**
   * JVM options of small processes on a test machine: a small heap, and no second compiler, which
   * pays only in long runs.
   */
  public static final String SMALL_JVM = "-Xmx512m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private static final long STOP_SECONDS = 10;
  private static final long POLL_SECONDS = 5;

  private final List<String> command;
  private final Map<String, String> environment = new LinkedHashMap<>();
  private Path directory = Path.of("").toAbsolutePath();
  private BooleanSupplier serverRuns = () -> true;
  private long secondsMax = Long.MAX_VALUE;

  /** A command and its arguments, with the tool's own environment. */
  public ClientProgram(List<String> command) {
    this.command = List.copyOf(command);
  }

  ClientProgram(Checkout checkout, Path confDir, List<String> arguments) {
    this(Stream.concat(Stream.of(checkout.grampus()), arguments.stream()).toList());
    environment.put("GRAMPUS_CONF_DIR", confDir.toString());
  }

  /** Adds a variable to its environment. */
  public ClientProgram environment(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Adds variables to its environment. */
  public ClientProgram environment(Map<String, String> variables) {
    environment.putAll(variables);
    return this;
  }

  /** Lets it run in another directory than the tool. */
  public ClientProgram in(Path other) {
    directory = other;
    return this;
  }

  /** Lets {@link #run} end it when its server has ended: a client of HBase tries for an hour. */
  public ClientProgram whileRuns(BooleanSupplier server) {
    serverRuns = server;
    return this;
  }

  /** Lets {@link #run} end it when it has run for longer. */
  public ClientProgram within(long seconds) {
    secondsMax = seconds;
    return this;
  }

  /**
   * Runs it to its end. The processor time in the result is right only where no other child of this
   * process ends meanwhile: the kernel adds up the times of all that have. Where the thread is
   * interrupted the program is killed.
   *
   * @param log where its output goes, replacing what was there
   * @throws ToolException when it fails, takes too long or its server has ended, with the end of
   *     its output
   */
  public ClientRun run(Path log) throws ToolException, IOException, InterruptedException {
    long childrenBefore = ownSample().childMicros();
    long start = System.nanoTime();
    Process process = start(log);
    int code = awaitEnd(process, log);
    long nanos = System.nanoTime() - start;
    String output = read(log);
    if (code != 0) {
      throw new ToolException(this + " failed with exit code " + code + Tail.of(output));
    }
    // The kernel adds a child's time to its parent's account when the parent has waited for it.
    return new ClientRun(output, nanos, ownSample().childMicros() - childrenBefore);
  }

  private int awaitEnd(Process process, Path log) throws ToolException, InterruptedException {
    long begun = System.nanoTime();
    try {
      while (!process.waitFor(POLL_SECONDS, TimeUnit.SECONDS)) {
        if (!serverRuns.getAsBoolean()) {
          process.destroyForcibly().waitFor();
          throw new ToolException("the server of " + this + " has ended" + Tail.of(log));
        }
        if (TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun) >= secondsMax) {
          process.destroyForcibly().waitFor();
          throw new ToolException(this + " takes longer than " + secondsMax + " s" + Tail.of(log));
        }
      }
    } finally {
      process.destroyForcibly(); // of no effect where it has ended
    }
    return process.exitValue();
  }

  /**
   * Runs it to its end, which must not be a good one; returns its output.
   *
   * @param code the exit code that it must have
   * @throws ToolException when it has another one
   */
  public String runFailing(Path log, int code)
      throws ToolException, IOException, InterruptedException {
    return requireCode(start(log).waitFor(), code, read(log));
  }

  private String requireCode(int found, int code, String output) throws ToolException {
    if (found != code) {
      throw new ToolException(
          this + " ended with exit code " + found + ", not " + code + Tail.of(output));
    }
    return output;
  }

  private static String read(Path log) throws IOException {
    return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
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
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).inheritIO();
    builder.environment().putAll(environment);
    return builder.redirectInput(Path.of("/dev/null").toFile());
  }

  private Process start(Path log) throws IOException {
    return builder().redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  @Override
  public String toString() {
    String program = Path.of(command.get(0)).getFileName().toString();
    return String.join(" ", program, String.join(" ", command.subList(1, command.size())));
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

    /** Whether it has not ended. */
    public boolean runs() {
      return process.isAlive();
    }

    /**
     * Waits for its end; returns its output.
     *
     * @param code the exit code that it must have
     * @throws ToolException when it has another one
     */
    public String await(int code) throws ToolException, IOException, InterruptedException {
      return requireCode(process.waitFor(), code, read(log));
    }

    /** Waits for its end, good or not. */
    public ProgramEnd await() throws IOException, InterruptedException {
      return new ProgramEnd(process.waitFor(), read(log));
    }

    /** SIGTERM. */
    public void terminate() {
      process.destroy();
    }

    /** SIGKILL. */
    public void kill() throws InterruptedException {
      process.destroyForcibly().waitFor();
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

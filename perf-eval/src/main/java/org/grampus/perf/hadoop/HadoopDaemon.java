package org.grampus.perf.hadoop;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Tail;

/** A daemon of Hadoop as a process, with all that it has started. For one thread. */
final class HadoopDaemon {
  private static final long STOP_SECONDS = 20;
  private static final String OPTIONS =
      "-Xmx256m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Djava.net.preferIPv4Stack=true";

  private final String name;
  private final Path log;
  private final Process process;

  private HadoopDaemon(String name, Path log, Process process) {
    this.name = name;
    this.log = log;
    this.process = process;
  }

  /**
   * Starts it and returns at once.
   *
   * @param name of its log, and in sentences
   * @param command {@code hadoop} and its arguments
   * @param environment beside the tool's own
   */
  static HadoopDaemon start(
      String name, Path directory, List<String> command, Map<String, String> environment)
      throws IOException {
    Path log = directory.resolve(name + ".log");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.environment().put("HADOOP_OPTS", OPTIONS);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    return new HadoopDaemon(name, log, builder.start());
  }

  /**
   * Fails when it has ended.
   *
   * @throws ToolException with the end of what it printed
   */
  void require() throws ToolException {
    if (!process.isAlive()) {
      throw new ToolException("Hadoop's " + name + " has ended" + Tail.of(log));
    }
  }

  /** Waits for its end, which must be a good one. */
  void awaitSuccess() throws ToolException, InterruptedException {
    if (process.waitFor() != 0) {
      throw new ToolException("Hadoop's " + name + " has failed" + Tail.of(log));
    }
  }

  /** Its process and all below it: a node manager's are tasks, in sessions of their own. */
  Stream<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /** SIGTERM; a node manager ends its tasks before itself. */
  void terminate() {
    process.destroy();
  }

  /** Waits a while for its end. */
  void awaitEnd() {
    try {
      process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then it is killed at once
    }
  }
}

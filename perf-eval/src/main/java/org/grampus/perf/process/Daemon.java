package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.grampus.perf.ToolException;

/**
 * A process that serves until it is ended: killed, paused, and started again with the same command.
 * What it prints is appended to one log. For one thread.
 */
public final class Daemon {
  private static final long STOP_SECONDS = 20;
  private static final long SUCCESS_SECONDS = 120;

  private final String name;
  private final Path log;
  private final ProcessBuilder builder;
  private Process process;
  private long startedAt;

  /**
   * A daemon that does not run yet.
   *
   * @param name of its log, and in sentences
   * @param directory that it runs in, where its log is
   * @param command that becomes its process
   * @param environment beside the tool's own
   */
  public Daemon(
      String name, Path directory, List<String> command, Map<String, String> environment) {
    this.name = name;
    log = directory.resolve(name + ".log");
    builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().putAll(environment);
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
  }

  /** Starts it, for the first time or once more, and returns at once. */
  public void start() throws IOException {
    if (Leftovers.areRemoved()) {
      throw new IOException(name + " is not started: the tool ends");
    }
    if (runs()) {
      throw new IllegalStateException(name + " runs already, pid " + process.pid());
    }
    startedAt = System.currentTimeMillis();
    process = builder.start();
  }

  /**
   * A time before the last start of its process, in milliseconds since 1970: what HBase calls the
   * start code of a server is later.
   */
  public long startedAt() {
    return startedAt;
  }

  /** Whether its process is there, paused or not. */
  public boolean runs() {
    return process != null && process.isAlive();
  }

  /** Its process, once it was started. */
  public long pid() {
    return process.pid();
  }

  /** What it is called. */
  public String name() {
    return name;
  }

  /** What it has printed. */
  public Path log() {
    return log;
  }

  /**
   * Fails when it has ended.
   *
   * @throws ToolException with the end of what it printed
   */
  public void require() throws ToolException {
    if (!runs()) {
      throw new ToolException(name + " has ended" + Tail.of(log));
    }
  }

  /** Waits for its end, which must be a good one. */
  public void awaitSuccess() throws ToolException, InterruptedException {
    if (!awaitEnd(SUCCESS_SECONDS) || process.exitValue() != 0) {
      throw new ToolException(name + " has failed" + Tail.of(log));
    }
  }

  /** SIGKILL; returns when it has ended. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** SIGSTOP: it stands still, with its connections open, until {@link #resume}. */
  public void pause() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String signal) throws IOException, InterruptedException {
    String pid = String.valueOf(process.pid());
    if (new ProcessBuilder("kill", "-" + signal, pid).inheritIO().start().waitFor() != 0) {
      throw new IOException("cannot send SIG" + signal + " to " + name + ", process " + pid);
    }
  }

  /** SIGTERM, which a paused process hears as well. */
  public void terminate() throws IOException, InterruptedException {
    resume();
    process.destroy();
  }

  /** The exit code, once it has ended. */
  public int exitCode() {
    return process.exitValue();
  }

  /** Waits for its end; false when it runs after that time. */
  public boolean awaitEnd(long seconds) throws InterruptedException {
    return process.waitFor(seconds, TimeUnit.SECONDS);
  }

  /**
   * Its process, if it has one, and all below it: a node manager's are tasks, in sessions of their
   * own.
   */
  public Stream<ProcessHandle> processes() {
    return process == null
        ? Stream.empty()
        : Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  /** Ends daemons that depend on each other: all at once, and by SIGKILL what goes on. */
  public static void end(List<Daemon> daemons) {
    List<ProcessHandle> all = daemons.stream().flatMap(Daemon::processes).toList();
    daemons.forEach(Daemon::resumeQuietly);
    all.forEach(ProcessHandle::destroy);
    daemons.forEach(Daemon::awaitEnd);
    all.forEach(ProcessHandle::destroyForcibly);
  }

  /** One that is paused hears no SIGTERM. */
  private void resumeQuietly() {
    try {
      if (runs()) {
        resume();
      }
    } catch (IOException e) {
      // it has ended since
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void awaitEnd() {
    try {
      if (process != null) {
        awaitEnd(STOP_SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // then it is killed at once
    }
  }
}

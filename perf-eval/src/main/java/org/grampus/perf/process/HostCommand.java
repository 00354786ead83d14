package org.grampus.perf.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.grampus.perf.ToolException;

/** A program of the operating system that answers at once. */
public final class HostCommand {
  private final List<String> command;

  /** With its arguments. */
  public HostCommand(String... command) {
    this.command = List.of(command);
  }

  /**
   * Runs it to its end; returns what it printed, errors included.
   *
   * @throws ToolException when it is not there or fails, with the end of what it printed
   */
  public String run() throws ToolException, InterruptedException {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int code = process.waitFor();
      if (code != 0) {
        throw new ToolException(this + " failed with exit code " + code + Tail.of(output));
      }
      return output;
    } catch (IOException e) {
      throw new ToolException(this + " cannot be run: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return String.join(" ", command);
  }
}

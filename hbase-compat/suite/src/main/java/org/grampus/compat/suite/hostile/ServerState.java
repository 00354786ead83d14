package org.grampus.compat.suite.hostile;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the system says about the server's process, and the server about its account of memory. */
final class ServerState {
  private static final Pattern IN_USE =
      Pattern.compile("\\b(?:requests|cellBlocks|replies|messages|results)Bytes=(\\d+)");

  /** Places behind the name in /proc/PID/stat. */
  private static final int USER_TICKS = 11;

  private static final int SYSTEM_TICKS = 12;

  /** Of the kernel's figures, the same on all that Java runs on. */
  private static final int MILLIS_PER_TICK = 10;

  private final Path process;
  private final Path metrics;

  /**
   * The state of a process.
   *
   * @param metrics the file that its metrics go to once a second, or null
   */
  ServerState(long pid, Path metrics) {
    this.process = Path.of("/proc", String.valueOf(pid));
    this.metrics = metrics;
  }

  boolean isAlive() {
    return Files.exists(process.resolve("status")) && status("VmHWM") > 0;
  }

  /** Most that it had in memory, in MB. */
  long peakMegabytes() {
    return status("VmHWM") >> 10;
  }

  long threads() {
    return status("Threads");
  }

  private long status(String key) {
    try {
      for (String line : Files.readAllLines(process.resolve("status"))) {
        if (line.startsWith(key + ":")) {
          return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
      }
    } catch (IOException e) {
      return 0; // it has ended
    }
    return 0;
  }

  /** Time of processors that it has used, all its threads together. */
  long processorMillis() throws IOException {
    String line = Files.readString(process.resolve("stat"));
    String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    long ticks = Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS]);
    return ticks * MILLIS_PER_TICK;
  }

  int sockets() throws IOException {
    int sockets = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        try {
          sockets += Files.readSymbolicLink(file).toString().startsWith("socket:") ? 1 : 0;
        } catch (IOException e) {
          continue; // closed meanwhile
        }
      }
    }
    return sockets;
  }

  /** Bytes that the account says requests and replies take; 0 for a server without one. */
  long bytesInFlight() throws IOException {
    if (metrics == null || !Files.exists(metrics)) {
      return 0;
    }
    List<String> lines = Files.readAllLines(metrics);
    for (int i = lines.size() - 2; i >= 0; i--) { // the last may be half written
      if (lines.get(i).contains("regionserver.Memory:")) {
        long bytes = 0;
        for (Matcher use = IN_USE.matcher(lines.get(i)); use.find(); ) {
          bytes += Long.parseLong(use.group(1));
        }
        return bytes;
      }
    }
    return 0;
  }
}

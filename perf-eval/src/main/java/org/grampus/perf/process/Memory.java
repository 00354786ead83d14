package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The machine's memory, in MiB, as /proc/meminfo has it. */
public final class Memory {
  private Memory() {}

  /** All of it. */
  public static long totalMb() throws IOException {
    return megabytes(Files.readString(Path.of("/proc/meminfo")), "MemTotal");
  }

  /** What programs can have without others being swapped out. */
  public static long availableMb() throws IOException {
    return megabytes(Files.readString(Path.of("/proc/meminfo")), "MemAvailable");
  }

  static long megabytes(String meminfo, String key) throws IOException {
    return meminfo
        .lines()
        .filter(line -> line.startsWith(key + ":"))
        .findFirst()
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")) >> 10)
        .orElseThrow(() -> new IOException("/proc/meminfo has no " + key));
  }
}

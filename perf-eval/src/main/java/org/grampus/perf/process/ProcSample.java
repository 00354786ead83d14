package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What the kernel has counted for a process so far.
 *
 * @param cpuMicros processor time, user and system, of all its threads
 * @param childMicros the same of children that have ended and were waited for, with theirs
 * @param rssKb resident memory now, in KiB
 * @param peakRssKb the most that it ever was, in KiB
 */
public record ProcSample(long cpuMicros, long childMicros, long rssKb, long peakRssKb) {
  /** The kernel's unit towards programs is 10 ms on every machine that Java runs on. */
  static final long MICROS_PER_TICK = 10_000;

  /** Places behind the name in /proc/PID/stat, whose fields proc(5) numbers from 1 with the pid. */
  private static final int USER = 14 - 3;

  private static final int SYSTEM = 15 - 3;
  private static final int CHILDREN_USER = 16 - 3;
  private static final int CHILDREN_SYSTEM = 17 - 3;

  /**
   * The figures of a process.
   *
   * @throws IOException when there is no such process any more
   */
  public static ProcSample of(long pid) throws IOException {
    Path process = Path.of("/proc", String.valueOf(pid));
    return parse(
        Files.readString(process.resolve("stat")), Files.readString(process.resolve("status")));
  }

  static ProcSample parse(String stat, String status) throws IOException {
    // The name stands in brackets and may hold spaces and brackets itself.
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ", -1);
    return new ProcSample(
        (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) * MICROS_PER_TICK,
        (Long.parseLong(fields[CHILDREN_USER]) + Long.parseLong(fields[CHILDREN_SYSTEM]))
            * MICROS_PER_TICK,
        kilobytes(status, "VmRSS"),
        kilobytes(status, "VmHWM"));
  }

  private static long kilobytes(String status, String key) throws IOException {
    return status
        .lines()
        .filter(line -> line.startsWith(key + ":"))
        .findFirst()
        .map(line -> Long.parseLong(line.replaceAll("\\D", "")))
        // A process that has ended and was not waited for has no memory, and no such line.
        .orElseThrow(() -> new IOException("the process has ended: the kernel says no " + key));
  }

  /** Resident memory now, in MiB. */
  public long rssMb() {
    return rssKb >> 10;
  }

  /** The most that it ever was, in MiB. */
  public long peakRssMb() {
    return peakRssKb >> 10;
  }
}

package org.grampus.perf.result;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.grampus.perf.process.Memory;

/**
 * Where a measurement ran.
 *
 * @param processor the model's name
 * @param cores that this process may use
 * @param memoryMb in MiB
 * @param system kernel and its version
 * @param java the version of the JVM of tool, servers and clients
 */
public record Machine(String processor, int cores, long memoryMb, String system, String java) {
  /** This one. */
  public static Machine here() throws IOException {
    return new Machine(
        processor(Files.readString(Path.of("/proc/cpuinfo"))),
        Runtime.getRuntime().availableProcessors(),
        Memory.totalMb(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        System.getProperty("java.version"));
  }

  static String processor(String cpuinfo) {
    return cpuinfo
        .lines()
        .filter(line -> line.startsWith("model name"))
        .findFirst()
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .orElse(System.getProperty("os.arch")); // ARM kernels name no model
  }
}

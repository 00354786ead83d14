package org.grampus.server.daemon;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** What every daemon command takes. */
final class DaemonOptions {
  @Option(
      names = "-D",
      paramLabel = "key=value",
      description = "Sets a configuration key; may be repeated.")
  private final Map<String, String> overrides = new LinkedHashMap<>();

  /** The configuration: site file, command line and defaults. */
  Configuration configuration() throws StartupException {
    return Settings.load(directory("GRAMPUS_CONF_DIR", "conf"), overrides);
  }

  /** The directory of the installation. */
  static Path home() {
    return directory("GRAMPUS_HOME", ".");
  }

  /** Where this installation writes what no key names a place for. */
  static Path data() {
    String data = System.getProperty("grampus.data.dir");
    return data == null ? home().resolve("data") : Path.of(data).toAbsolutePath().normalize();
  }

  private static Path directory(String variable, String fallback) {
    String value = System.getenv(variable);
    return Path.of(value == null || value.isEmpty() ? fallback : value)
        .toAbsolutePath()
        .normalize();
  }
}

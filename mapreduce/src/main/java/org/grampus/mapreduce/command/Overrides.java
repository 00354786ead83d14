package org.grampus.mapreduce.command;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.grampus.mapreduce.settings.Origin;
import org.grampus.mapreduce.settings.ScanSettings;
import picocli.CommandLine.Option;

/** The option of a command that sets configuration keys. */
public final class Overrides {
  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets a configuration key; may be repeated.")
  private final Map<String, String> keys = new LinkedHashMap<>();

  /** For the command line. */
  public Overrides() {}

  Map<String, String> keys() {
    return keys;
  }

  /** Sets the keys in a configuration, where they count as the command line's. */
  public void applyTo(Configuration conf) {
    apply(keys, conf);
  }

  static void apply(Map<String, String> keys, Configuration conf) {
    keys.forEach((key, value) -> conf.set(key, value, Origin.COMMAND_LINE_MARK));
  }

  /**
   * Refuses keys that say what is read. They would go before the command's options, and columns of
   * the mapping that the scan lacks would all be null.
   *
   * @throws IllegalArgumentException with a sentence that names the key
   */
  public void requireNoInput() {
    for (String key : keys.keySet()) {
      if (ScanSettings.selectsRows(key) || ScanSettings.selectsInput(key)) {
        throw new IllegalArgumentException(
            "-D " + key + " cannot say what is read; the command's own options and arguments do");
      }
    }
  }
}

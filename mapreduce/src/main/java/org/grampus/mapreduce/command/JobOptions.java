package org.grampus.mapreduce.command;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Option;

/** Options of all commands that run a job. */
public final class JobOptions {
  @Option(names = "--yarn", description = "Runs on the cluster that mapred-site.xml describes.")
  private boolean onYarn;

  @Option(names = "--quiet", description = "Shows no progress.")
  private boolean quiet;

  @Option(
      names = "-D",
      paramLabel = "KEY=VALUE",
      description = "Sets a configuration key; may be repeated.")
  private final Map<String, String> overrides = new LinkedHashMap<>();

  /** For the command line. */
  public JobOptions() {}

  /** The configuration of the site, and what the command's user says. */
  public Configuration configuration() {
    return JobConfiguration.of(overrides, onYarn);
  }

  /** Whether no progress is shown. */
  public boolean isQuiet() {
    return quiet;
  }
}

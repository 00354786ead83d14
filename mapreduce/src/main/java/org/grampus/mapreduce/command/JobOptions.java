package org.grampus.mapreduce.command;

import org.apache.hadoop.conf.Configuration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of all commands that run a job. */
public final class JobOptions {
  @Option(names = "--yarn", description = "Runs on the cluster that mapred-site.xml describes.")
  private boolean onYarn;

  @Option(names = "--quiet", description = "Shows no progress.")
  private boolean quiet;

  @Mixin private Overrides overrides;

  /** For the command line. */
  public JobOptions() {}

  /** The configuration of the site, and what the command's user says. */
  public Configuration configuration() {
    return JobConfiguration.of(overrides.keys(), onYarn);
  }

  /** Refuses keys that say what is read, as {@link Overrides#requireNoInput} does. */
  public void requireNoInput() {
    overrides.requireNoInput();
  }

  /** Whether no progress is shown. */
  public boolean isQuiet() {
    return quiet;
  }
}

package org.grampus.server.daemon;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line of the server. */
@Command(
    name = "grampus",
    description = "An HBase-compatible wide-column server on a native columnar engine.",
    subcommands = {
      StandaloneCommand.class,
      RegionServerCommand.class,
      InspectCommand.class,
      VersionCommand.class
    },
    mixinStandardHelpOptions = true)
public final class Grampus {
  private Grampus() {}

  /** Runs a command; its exit code is the process's. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Grampus()).execute(args));
  }
}

package org.grampus.perf.command;

import org.grampus.perf.ToolException;
import org.grampus.perf.process.Leftovers;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The tool that measures and checks servers: {@code bin/grampus perf COMMAND}. */
@Command(
    name = "perf",
    description = "Measures servers on this machine, and checks what they do under load.",
    subcommands = {
      HelpCommand.class,
      ClusterCheck.class,
      ClusterDemo.class,
      Compare.class,
      Flights.class,
      Hadoop.class,
      Hostile.class,
      HotSet.class,
      Idle.class,
      Jobs.class,
      JudgesCheck.class,
      ManyServers.class,
      MigrationCheck.class,
      PeAgreement.class,
      PeMatrix.class,
      Profile.class,
      Servers.class,
      Sustained.class,
      Tier.class,
      TroubleCheck.class,
      WalStreams.class
    },
    synopsisSubcommandLabel = "COMMAND")
public final class Perf {
  private Perf() {}

  /** Exit codes: 0 measured and within limits, 1 failed, 2 wrong arguments. */
  public static void main(String[] args) {
    Leftovers.removeAtEnd();
    System.exit(commandLine().execute(args));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Perf())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionExceptionHandler(
            (failure, command, parsed) -> {
              if (failure instanceof ToolException) {
                System.err.println("grampus: " + failure.getMessage());
              } else {
                System.err.println("grampus: " + command.getCommandName() + " failed: " + failure);
                failure.printStackTrace();
              }
              return CommandLine.ExitCode.SOFTWARE;
            });
  }
}

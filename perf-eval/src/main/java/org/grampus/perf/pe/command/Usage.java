package org.grampus.perf.pe.command;

import java.io.PrintStream;
import org.grampus.perf.pe.option.Command;
import org.grampus.perf.pe.option.PeOptions;

/** What {@code --help} prints. */
final class Usage {
  private Usage() {}

  static void print(PrintStream out) {
    PeOptions.commandLine().usage(out);
    out.println();
    out.println("Command:");
    for (Command command : Command.values()) {
      if (command != Command.CUSTOM) {
        out.printf(" %-20s %s%n", command, command.description());
      }
    }
    out.println();
    out.println("Class: a class that extends org.grampus.perf.pe.work.RowTest");
    out.println();
    out.println("Examples:");
    out.println(" To run a single client doing the default 1M sequentialWrites:");
    out.println(" $ bin/grampus pe sequentialWrite 1");
    out.println(" To run 10 clients doing increments over ten rows:");
    out.println(" $ bin/grampus pe --rows=10 --nomapred increment 10");
  }
}

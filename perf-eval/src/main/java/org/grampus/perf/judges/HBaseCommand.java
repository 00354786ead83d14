package org.grampus.perf.judges;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.ClientProgram;

/**
 * The command that {@code hbase-compat/judges} has in the place of an installation's. Immutable.
 *
 * @param checkout where it is
 * @param confDir of the site files that it reads
 */
record HBaseCommand(Checkout checkout, Path confDir) {
  /**
   * A program of HBase that does not run yet.
   *
   * @param directory that it runs in, for its working files
   */
  ClientProgram program(Path directory, String mainClass, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(checkout.home().resolve("hbase-compat/judges/bin/hbase").toString());
    command.add(mainClass);
    command.addAll(arguments);
    return new ClientProgram(command)
        .in(directory)
        .environment("HBASE_CONF_DIR", confDir.toString())
        .environment("HBASE_OPTS", ClientProgram.SMALL_JVM);
  }
}

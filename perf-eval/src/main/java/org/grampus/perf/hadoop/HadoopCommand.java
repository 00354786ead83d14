package org.grampus.perf.hadoop;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.grampus.perf.process.Checkout;
import org.grampus.perf.process.Daemon;

/**
 * The command that {@code hbase-compat/hadoop} has in the place of an installation's. Immutable.
 *
 * @param checkout where it is
 * @param confDir of the site files that it reads
 * @param compilers of daemons
 */
record HadoopCommand(Checkout checkout, Path confDir, Compilers compilers) {
  private static final String OPTIONS = "-Xmx256m -XX:+UseSerialGC -Djava.net.preferIPv4Stack=true";

  /** Its directory, for a {@code PATH}. */
  Path directory() {
    return checkout.home().resolve("hbase-compat/hadoop/bin");
  }

  /** What leads programs to the cluster. */
  Map<String, String> environment() {
    return Map.of("HADOOP_CONF_DIR", confDir.toString());
  }

  /**
   * A daemon of Hadoop that does not run yet.
   *
   * @param place where its log is
   * @param arguments its class, and what that takes
   */
  Daemon daemon(String name, Path place, String... arguments) {
    List<String> command = new ArrayList<>(List.of(directory().resolve("hadoop").toString()));
    command.addAll(List.of(arguments));
    Map<String, String> variables = new LinkedHashMap<>(environment());
    variables.put("HADOOP_OPTS", OPTIONS + compilers.options());
    return new Daemon(name, place, command, variables);
  }
}

package org.grampus.server.daemon;

import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.VersionInfo;
import picocli.CommandLine.Command;

/** {@code grampus version}. */
@Command(
    name = "version",
    description = "Prints the versions of Grampus and of the HBase that it speaks.")
final class VersionCommand implements Callable<Integer> {
  @Override
  public Integer call() {
    String own = Grampus.class.getPackage().getImplementationVersion();
    System.out.println(
        "Grampus "
            + (own == null ? "(unpacked build)" : own)
            + ", compatible with HBase "
            + VersionInfo.getVersion());
    return 0;
  }
}

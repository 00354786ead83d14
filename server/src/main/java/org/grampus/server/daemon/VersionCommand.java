package org.grampus.server.daemon;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.util.VersionInfo;
import picocli.CommandLine.Command;

/** {@code grampus version}. */
@Command(
    name = "version",
    description = "Prints the versions of Grampus and of the HBase that it speaks.")
final class VersionCommand implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    System.out.println(line(Release.of(DaemonOptions.home())));
    return 0;
  }

  static String line(Optional<Release> release) {
    String own =
        release
            .map(it -> it.version() + " of commit " + it.commit() + " for " + it.platform())
            .orElse("built from sources");
    return "Grampus " + own + ", compatible with HBase " + VersionInfo.getVersion();
  }
}

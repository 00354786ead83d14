package org.grampus.mapreduce.command;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The root directory of the installation's own standalone server. That server needs no {@code
 * hbase.rootdir}, and neither do the commands beside it.
 */
final class InstallationRoot {
  /** Where the installation writes, as {@code bin/grampus} says. */
  private static final String DATA_PROPERTY = "grampus.data.dir";

  /** What every root of Grampus has. */
  private static final String MARK = ".grampus";

  private static final String HBASE_DEFAULT = "hbase-default.xml";

  private InstallationRoot() {}

  /** Names the root where no site file does, and there is one. */
  static void applyTo(Configuration conf) {
    String data = System.getProperty(DATA_PROPERTY);
    if (data == null || isSet(conf)) {
      return;
    }
    Path root = Path.of(data, "hbase").toAbsolutePath().normalize();
    if (Files.isDirectory(root.resolve(MARK))) {
      conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    }
  }

  private static boolean isSet(Configuration conf) {
    String[] sources = conf.getPropertySources(HConstants.HBASE_DIR);
    return sources != null
        && sources.length > 0
        && !sources[sources.length - 1].endsWith(HBASE_DEFAULT);
  }
}

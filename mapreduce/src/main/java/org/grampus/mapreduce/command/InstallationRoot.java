package org.grampus.mapreduce.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The root directory of the installation's own standalone server. That server needs no {@code
 * hbase.rootdir}, and neither do the commands beside it.
 */
public final class InstallationRoot {
  /** Where the installation writes, as {@code bin/grampus} says. */
  private static final String DATA_PROPERTY = "grampus.data.dir";

  /** What every root of Grampus has. */
  private static final String MARK = ".grampus";

  private static final String HBASE_DEFAULT = "hbase-default.xml";

  /** Keys of which each says where a server is that may be another one. */
  private static final List<String> ADDRESSES =
      List.of(
          HConstants.HBASE_DIR,
          HConstants.ZOOKEEPER_QUORUM,
          "hbase.client.bootstrap.servers",
          "hbase.masters");

  private InstallationRoot() {}

  /** Names the root where there is one, and nothing names another server or its root. */
  public static void applyTo(Configuration conf) {
    String data = System.getProperty(DATA_PROPERTY);
    if (data == null || ADDRESSES.stream().anyMatch(key -> isSet(conf, key))) {
      return;
    }
    Path root = Path.of(data, "hbase").toAbsolutePath().normalize();
    if (Files.isDirectory(root.resolve(MARK))) {
      conf.set(HConstants.HBASE_DIR, root.toUri().toString());
    }
  }

  private static boolean isSet(Configuration conf, String key) {
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !sources[sources.length - 1].endsWith(HBASE_DEFAULT);
  }
}

package org.grampus.server.daemon;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.grampus.compat.table.FileTracker;

/**
 * Where settings come from, the strongest first: {@code -Dkey=value}, {@code hbase-site.xml} in the
 * configuration directory, our defaults, HBase's defaults.
 */
public final class Settings {
  private static final String HBASE_DEFAULT = "hbase-default.xml";
  private static final String SPLIT_BY_ZOOKEEPER = "hbase.split.wal.zk.coordinated";

  private Settings() {}

  /** Loads the configuration of a server. */
  public static Configuration load(Path confDir, Map<String, String> overrides)
      throws StartupException {
    Path site = confDir.resolve("hbase-site.xml");
    try {
      Configuration conf = HBaseConfiguration.create();
      if (Files.exists(site)) {
        conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
      }
      overrides.forEach((key, value) -> conf.set(key, value, "command line"));
      applyDefaults(conf);
      SecurityGuard.check(conf);
      checkFileTracker(conf);
      checkLogSplitting(conf);
      return conf;
    } catch (RuntimeException e) {
      // Hadoop parses files at the first use of a key and has no other exception for bad ones.
      throw new StartupException("cannot read " + site + ": " + oneLine(e), e);
    }
  }

  /** Tables that name no tracker have the server's. */
  private static void checkFileTracker(Configuration conf) throws StartupException {
    String tracker = conf.get(FileTracker.KEY);
    if (tracker != null && !FileTracker.isDefault(tracker)) {
      throw new StartupException(
          FileTracker.KEY
              + " is "
              + tracker
              + ", but this server keeps no lists of files, without which the master would lose rows"
              + " in splits and merges; set it to DEFAULT, also at the master");
    }
  }

  /** A master with the key gives the logs of a dead server to no procedure, and waits for ever. */
  private static void checkLogSplitting(Configuration conf) throws StartupException {
    if (conf.getBoolean(SPLIT_BY_ZOOKEEPER, false)) {
      throw new StartupException(
          SPLIT_BY_ZOOKEEPER
              + " is true, but this server splits logs by the master's procedures alone, without"
              + " which no dead server would be recovered; set it to false, also at the master");
    }
  }

  private static String oneLine(RuntimeException e) {
    return String.valueOf(e.getMessage()).replaceAll("\\s*\\R\\s*", " ");
  }

  /** True when the key is set, by more than HBase's own defaults. */
  public static boolean isSet(Configuration conf, String key) {
    if (Configuration.isDeprecated(key)) {
      // Hadoop keeps the source by the key's new name alone, which it does not tell.
      return !conf.getTrimmed(key, "").isEmpty();
    }
    String[] sources = conf.getPropertySources(key);
    return sources != null
        && sources.length > 0
        && !sources[sources.length - 1].endsWith(HBASE_DEFAULT);
  }

  /** Sets a key that is not set. */
  public static void setDefault(Configuration conf, String key, String value) {
    if (!isSet(conf, key)) {
      conf.set(key, value, "grampus default");
    }
  }

  private static void applyDefaults(Configuration conf) {
    setDefault(conf, "hbase.regionserver.hostname", "localhost");
    setDefault(conf, "hbase.regionserver.ipc.address", "127.0.0.1");
    setDefault(conf, "hbase.regionserver.info.bindAddress", "127.0.0.1");
    // HBase's own writers then leave their bytes with the operating system at hflush, and no
    // checksum files lie between ours.
    setDefault(conf, "fs.file.impl", LocalFiles.class.getName());
    setDefault(conf, HConstants.ZOOKEEPER_QUORUM, "127.0.0.1");
  }
}

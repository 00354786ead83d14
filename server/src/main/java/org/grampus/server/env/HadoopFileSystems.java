package org.grampus.server.env;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * File systems that the server opens for itself. Others close those that Hadoop shares, and a hook
 * of Hadoop's closes them while the server still stops.
 */
public final class HadoopFileSystems {
  private HadoopFileSystems() {}

  /** The file system of a path; its caller closes it. */
  public static FileSystem open(Path path, Configuration conf) throws IOException {
    Configuration own = new Configuration(conf);
    own.setBoolean("fs.automatic.close", false);
    return FileSystem.newInstance(path.toUri(), own);
  }

  /**
   * Where a path is, behind links and mounts, as far as it is there.
   *
   * @return the same path where nothing of it is behind one
   */
  public static Path resolved(FileSystem fs, Path path) throws IOException {
    Path there = path;
    StringBuilder missing = new StringBuilder();
    while (there.getParent() != null && !fs.exists(there)) {
      missing.insert(0, Path.SEPARATOR + there.getName());
      there = there.getParent();
    }
    Path real = fs.resolvePath(there);
    return missing.length() == 0 ? real : new Path(real, missing.substring(1));
  }

  /**
   * Whether streams of logs must have hflush and hsync, and logs be where other servers see them.
   */
  public static boolean mustKeepLogs(Configuration conf) {
    return conf.getBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, true);
  }
}

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
   * Whether streams of logs must have hflush and hsync, and logs be where other servers see them.
   */
  public static boolean mustKeepLogs(Configuration conf) {
    return conf.getBoolean(CommonFSUtils.UNSAFE_STREAM_CAPABILITY_ENFORCE, true);
  }
}

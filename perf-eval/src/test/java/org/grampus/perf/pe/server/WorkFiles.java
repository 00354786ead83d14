package org.grampus.perf.pe.server;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The local file system where relative paths begin in a directory of the test. */
public final class WorkFiles extends LocalFileSystem {
  /** Where relative paths begin. */
  public static final String DIRECTORY_KEY = "grampus.test.work";

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    if (conf.get(DIRECTORY_KEY) != null) {
      setWorkingDirectory(new Path("file://" + conf.get(DIRECTORY_KEY)));
    }
  }
}

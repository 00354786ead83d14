package org.grampus.perf.hadoop;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;

/** A file of keys that daemons and clients read, such as hdfs-site.xml. */
public final class SiteFile {
  private SiteFile() {}

  /** Writes it into a directory, in the place of one that is there. */
  public static void write(Path conf, String name, Configuration keys) throws IOException {
    try (OutputStream out = Files.newOutputStream(conf.resolve(name))) {
      keys.writeXml(out);
    }
  }
}

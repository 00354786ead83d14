package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The directories of a load's files, out of which servers move them. */
final class FamilyDirectories {
  private static final Logger LOG = LoggerFactory.getLogger(FamilyDirectories.class);
  private static final FsPermission EVERYONE = new FsPermission((short) 0777);
  private static final String LOCAL = "file";

  private FamilyDirectories() {}

  /**
   * Lets the servers' user write in the directories, where that is another one: on HDFS. Those of
   * another owner stay as they are, and a server says so if it may not.
   */
  static void open(FileSystem fs, List<FileRange> files) throws IOException {
    if (LOCAL.equals(fs.getScheme())) {
      return;
    }
    Set<Path> directories =
        files.stream().map(file -> file.path().getParent()).collect(Collectors.toSet());
    for (Path directory : directories) {
      try {
        fs.setPermission(directory, EVERYONE);
      } catch (AccessControlException e) {
        LOG.info("{} keeps its permissions: {}", directory, e.getMessage());
      }
    }
  }
}

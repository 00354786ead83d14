package org.grampus.mapreduce.load;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;

/**
 * A file that is to be loaded, and its rows.
 *
 * @param family the name of its directory
 * @param path where it is
 * @param bytes of the file
 * @param first row
 * @param last row
 */
@SuppressWarnings("ArrayRecordComponent") // rows are bytes, and these records are never compared
record FileRange(String family, Path path, long bytes, byte[] first, byte[] last) {
  /**
   * The files below a directory, in one directory per family; those without rows are passed over. A
   * family's name may begin with an underscore, that of a file to load may not.
   */
  static List<FileRange> below(FileSystem fs, Path directory, Configuration conf)
      throws IOException {
    List<FileRange> files = new ArrayList<>();
    for (FileStatus family : fs.listStatus(directory)) {
      if (!family.isDirectory() || isOfCommitter(family.getPath())) {
        continue;
      }
      for (FileStatus file : fs.listStatus(family.getPath())) {
        if (file.isFile() && !isHidden(file.getPath())) {
          read(fs, file, conf).ifPresent(files::add);
        }
      }
    }
    return files;
  }

  private static boolean isOfCommitter(Path path) {
    return path.getName().equals(FileOutputCommitter.PENDING_DIR_NAME);
  }

  private static boolean isHidden(Path path) {
    return path.getName().startsWith("_") || path.getName().startsWith(".");
  }

  private static Optional<FileRange> read(FileSystem fs, FileStatus file, Configuration conf)
      throws IOException {
    Path path = file.getPath();
    try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      String family = path.getParent().getName();
      return reader
          .getFirstRowKey()
          .map(
              first ->
                  new FileRange(
                      family, path, file.getLen(), first, reader.getLastRowKey().orElseThrow()));
    } catch (FileNotFoundException e) {
      return Optional.empty(); // loaded since the directory was listed
    }
  }
}

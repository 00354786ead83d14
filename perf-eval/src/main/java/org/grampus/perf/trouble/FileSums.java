package org.grampus.perf.trouble;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/** Names, lengths and checksums of all files below a directory. */
final class FileSums {
  private static final int TRIES_MAX = 10;

  private FileSums() {}

  /**
   * Reads them.
   *
   * @param wanted paths, without the file system's URI, that count
   * @return path to length and HDFS's checksum
   */
  static Map<String, String> of(FileSystem fs, Path directory, Predicate<String> wanted)
      throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return once(fs, directory, wanted);
      } catch (FileNotFoundException e) {
        if (tries == TRIES_MAX) {
          throw e; // else a directory was removed while it was listed
        }
      }
    }
  }

  private static Map<String, String> once(FileSystem fs, Path directory, Predicate<String> wanted)
      throws IOException {
    Map<String, String> sums = new TreeMap<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(directory, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      String path = file.getPath().toUri().getPath();
      if (wanted.test(path)) {
        sums.put(path, file.getLen() + " " + sum(fs, file.getPath()));
      }
    }
    return sums;
  }

  private static String sum(FileSystem fs, Path file) throws IOException {
    try {
      return String.valueOf(fs.getFileChecksum(file));
    } catch (FileNotFoundException e) {
      return "gone"; // a difference from every sum
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("under construction")) {
        return "open";
      }
      throw e;
    }
  }

  /** The first difference in a sentence, or an empty one. */
  static String difference(Map<String, String> before, Map<String, String> after) {
    for (Map.Entry<String, String> file : before.entrySet()) {
      String now = after.get(file.getKey());
      if (!file.getValue().equals(now)) {
        return file.getKey() + " was " + file.getValue() + " and is " + now;
      }
    }
    for (String file : after.keySet()) {
      if (!before.containsKey(file)) {
        return file + " was not there";
      }
    }
    return "";
  }
}

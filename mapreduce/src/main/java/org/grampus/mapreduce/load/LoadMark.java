package org.grampus.mapreduce.load;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * The file {@code _loading} of a directory that a loader is loading. While files are on their way
 * into the table they are in neither place, and a directory without files says nothing of them.
 * Loaders pass over its name. It is empty, or has a line for each file of which it is not known
 * whether it is in the table.
 */
final class LoadMark {
  private static final String NAME = "_loading";

  private final FileSystem fs;
  private final Path path;
  private boolean isKept;

  private LoadMark(FileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * Marks a directory until {@link #clear}. A mark that a killed loader has left is taken over when
   * there are files, which show how far it has come.
   *
   * @throws IOException also when an earlier load does not know of files whether they are in the
   *     table, and they are not in the directory
   */
  static LoadMark set(FileSystem fs, Path directory, List<FileRange> files) throws IOException {
    Path path = new Path(directory, NAME);
    if (fs.exists(path)) {
      List<String> unknown = unknown(fs, path);
      files.forEach(file -> unknown.remove(file.path().toString()));
      requireNone(path, unknown);
    }
    fs.create(path, true).close();
    return new LoadMark(fs, path);
  }

  /**
   * Requires that no loader is loading a directory in which no files are left.
   *
   * @throws IOException when one is, or one was killed or had no answer
   */
  static void requireNone(FileSystem fs, Path directory) throws IOException {
    Path path = new Path(directory, NAME);
    if (!fs.exists(path)) {
      return;
    }
    requireNone(path, unknown(fs, path));
    throw new IOException(
        "another load of "
            + directory
            + " is under way, and whether its files come into the table is not known yet; when"
            + " its process is gone, delete "
            + path
            + " and load it again once all regions are open");
  }

  private static List<String> unknown(FileSystem fs, Path path) throws IOException {
    byte[] text;
    try (var in = fs.open(path)) {
      text = in.readAllBytes();
    }
    List<String> names = new ArrayList<>();
    new String(text, StandardCharsets.UTF_8).lines().forEach(names::add);
    return names;
  }

  private static void requireNone(Path path, List<String> unknown) throws IOException {
    if (!unknown.isEmpty()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "whether %d files of an earlier load are in the table is not known, such as %s; once"
                  + " all regions are open, what is in neither %s nor staging/unreturned of the"
                  + " server's root directory is in the table: delete %s then, and load it again",
              unknown.size(),
              unknown.get(0),
              path.getParent(),
              path));
    }
  }

  /** From now on files may be on their way: {@link #clear} leaves the mark. */
  void keep() {
    isKept = true;
  }

  /**
   * It is known again where all files are but these: if there are some, the mark has their names.
   */
  void release(List<Path> unknown) throws IOException {
    isKept = !unknown.isEmpty();
    if (isKept) {
      try (OutputStream out = fs.create(path, true)) {
        for (Path file : unknown) {
          out.write((file + "\n").getBytes(StandardCharsets.UTF_8));
        }
      }
    }
  }

  /** The load is over: what is not in the table is in the directory, or the mark stays. */
  void clear() throws IOException {
    if (!isKept) {
      fs.delete(path, false);
    }
  }
}

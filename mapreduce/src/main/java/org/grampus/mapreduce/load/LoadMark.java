package org.grampus.mapreduce.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.files.DurableFile;

/**
 * The file {@code _loading} of a directory, with the names of files that may be on their way into
 * the table, a line for each. On their way they are in neither place, and what is left in the
 * directory says nothing of them. A name goes once the rows of its file are known to be elsewhere:
 * a server that has not answered, or whose client was killed, may take a file at any time, and move
 * it back. A last line tells a whole mark from a part of one. HBase's tool passes over it. One
 * thread.
 */
final class LoadMark {
  private static final String NAME = "_loading";

  /** Names of files have a slash. */
  private static final String END = "end";

  private final FileSystem fs;
  private final Path path;

  /** Files of which it is known that their rows are in the table or in other files. */
  private final Set<String> known = new HashSet<>();

  private LoadMark(FileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * The mark of a directory for a loader that begins. One that an earlier load has left is taken
   * over when all files that it names are there.
   *
   * @param files of the directory, which were looked for before: one that is moved meanwhile is
   *     named by then
   * @throws IOException also when files of another load are not in the directory: whether they are
   *     in the table is not known
   */
  static LoadMark of(FileSystem fs, Path directory, List<FileRange> files) throws IOException {
    LoadMark mark = new LoadMark(fs, new Path(directory, NAME));
    Set<String> missing = mark.read();
    files.forEach(file -> missing.remove(name(file.path())));
    if (!missing.isEmpty()) {
      throw mark.unknown(missing);
    }
    return mark;
  }

  /** Within the directory, which may have several names itself. */
  private static String name(Path file) {
    return file.getParent().getName() + Path.SEPARATOR + file.getName();
  }

  /** The names; none when there is no mark. */
  private Set<String> read() throws IOException {
    if (!fs.exists(path)) {
      return new LinkedHashSet<>();
    }
    byte[] text;
    try (var in = fs.open(path)) {
      text = in.readAllBytes();
    }
    List<String> lines = new ArrayList<>();
    new String(text, StandardCharsets.UTF_8).lines().forEach(lines::add);
    if (lines.isEmpty() || !lines.remove(lines.size() - 1).equals(END)) {
      throw new IOException(
          "another load of "
              + path.getParent()
              + " is under way or was killed, and which files it has handed over is not known: its"
              + " mark is incomplete; when its process is gone and all regions are open, delete "
              + path
              + " and load it again");
    }
    return new LinkedHashSet<>(lines);
  }

  private IOException unknown(Set<String> missing) {
    return new IOException(
        String.format(
            Locale.ROOT,
            "whether %d files of another load, which was killed or is under way, are in the table"
                + " is not known, such as %s; when its process is gone and all regions are open,"
                + " what is in neither %s nor staging/unreturned of the server's root directory is"
                + " in the table: delete %s then, and load it again",
            missing.size(),
            missing.iterator().next(),
            path.getParent(),
            path));
  }

  /** The rows of these files are in the table, or in other files. */
  void know(Collection<Path> files) {
    files.forEach(file -> known.add(name(file)));
  }

  /** From now on these files may be on their way. */
  void keep(List<FileRange> files) throws IOException {
    Set<String> names = read();
    files.forEach(file -> names.add(name(file.path())));
    names.removeAll(known);
    write(names);
  }

  /** The files that are known are not on their way any more; without others there is no mark. */
  void release() throws IOException {
    Set<String> names = read();
    names.removeAll(known);
    if (names.isEmpty()) {
      fs.delete(path, false);
    } else {
      write(names);
    }
  }

  private void write(Set<String> names) throws IOException {
    String text = Stream.concat(names.stream(), Stream.of(END)).collect(Collectors.joining("\n"));
    DurableFile.write(fs, path, (text + "\n").getBytes(StandardCharsets.UTF_8));
  }
}

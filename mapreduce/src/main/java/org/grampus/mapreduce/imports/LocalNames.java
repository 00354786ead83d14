package org.grampus.mapreduce.imports;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.GlobExpander;
import org.apache.hadoop.fs.GlobPattern;
import org.apache.hadoop.fs.Path;

/**
 * Names in local directories that this process cannot read, since their bytes are not of its
 * character set. Hadoop leaves such files out without a word: to it they are gone since the
 * directory was listed.
 */
final class LocalNames {
  private static final char REPLACEMENT = '\uFFFD';

  private LocalNames() {}

  /**
   * Looks for such names.
   *
   * @param inputs files, directories with all below them, or patterns
   * @throws IOException with the first one that would be an input
   */
  static void requireSpelled(Configuration conf, Path[] inputs) throws IOException {
    for (Path input : inputs) {
      if (input.getFileSystem(conf).getUri().getScheme().equals("file")) {
        for (String path : GlobExpander.expand(input.toUri().getPath())) {
          check(new File(File.separator), names(path.split(File.separator)));
        }
      }
    }
  }

  private static List<String> names(String... names) {
    return Stream.of(names).filter(name -> !name.isEmpty()).toList();
  }

  /** Checks what a pattern below a directory matches. */
  private static void check(File at, List<String> pattern) throws IOException {
    if (pattern.isEmpty()) {
      checkBelow(at);
      return;
    }
    GlobPattern first = new GlobPattern(pattern.get(0));
    List<String> rest = pattern.subList(1, pattern.size());
    if (!first.hasWildcard()) {
      check(new File(at, pattern.get(0)), rest);
      return;
    }
    for (String name : list(at)) {
      if (first.matches(name) && !(rest.isEmpty() && isHidden(name))) {
        check(spelled(at, name), rest);
      }
    }
  }

  private static void checkBelow(File directory) throws IOException {
    for (String name : list(directory)) {
      if (!isHidden(name)) {
        checkBelow(spelled(directory, name));
      }
    }
  }

  /** Whether it ends the path of no input. */
  private static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".");
  }

  /** Nothing of what is no directory. */
  private static List<String> list(File directory) {
    String[] names = directory.list();
    return names == null ? List.of() : List.of(names);
  }

  private static File spelled(File directory, String name) throws IOException {
    File file = new File(directory, name);
    if (name.indexOf(REPLACEMENT) >= 0 && !file.exists()) {
      throw new IOException(
          file
              + " has a name that this process cannot read, with bytes that are not of its"
              + " character set: run the command in a locale of UTF-8, such as LC_ALL=C.UTF-8, or"
              + " rename the file");
    }
    return file;
  }
}

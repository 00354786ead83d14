package org.grampus.perf.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Set;
import java.util.regex.Pattern;

/** When a source was last changed, of those by which {@code bin/lib/build.sh} builds anew. */
final class NewestSource extends SimpleFileVisitor<Path> {
  private static final Set<String> MODULES =
      Set.of("pom.xml", "native", "hbase-compat", "server", "mapreduce", "perf-eval");

  private static final Set<String> LEFT_OUT = Set.of("target", "fuzz");

  private static final Pattern SOURCE =
      Pattern.compile("\\.(java|rs|toml)$|/(pom\\.xml|Cargo\\.lock)$|/src/main/resources/");

  private final Path home;
  private long millis;

  private NewestSource(Path home) {
    this.home = home;
  }

  /** In milliseconds since 1970; 0 without sources. */
  static long below(Path home) throws IOException {
    NewestSource newest = new NewestSource(home);
    Files.walkFileTree(home, newest);
    return newest.millis;
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    boolean wanted =
        directory.equals(home)
            || (MODULES.contains(home.relativize(directory).getName(0).toString())
                && !LEFT_OUT.contains(directory.getFileName().toString()));
    return wanted ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    if (SOURCE.matcher(file.toString()).find()) {
      millis = Math.max(millis, attributes.lastModifiedTime().toMillis());
    }
    return FileVisitResult.CONTINUE;
  }
}

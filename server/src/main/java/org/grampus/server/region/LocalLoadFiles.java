package org.grampus.server.region;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;

/** Files of this machine. */
final class LocalLoadFiles implements LoadFiles {
  private static final String SCHEME = "file";
  private static final String PRIVATE = "rwx------";

  private final Path root;

  LocalLoadFiles(java.nio.file.Path root) {
    this.root = hadoop(root.toAbsolutePath().normalize());
  }

  @Override
  public Path root() {
    return root;
  }

  @Override
  public Path path(String named) throws DoNotRetryIOException {
    URI uri = LoadFiles.parse(named).toUri();
    boolean local = uri.getScheme() == null || uri.getScheme().equals(SCHEME);
    if (!local || uri.getPath() == null || !uri.getPath().startsWith("/")) {
      throw new DoNotRetryIOException(
          named
              + " is no absolute path of a local file system, and this server has no other; copy"
              + " the files to one that it shares");
    }
    try {
      return hadoop(java.nio.file.Path.of(uri.getPath()).normalize());
    } catch (InvalidPathException e) {
      String charset = System.getProperty("sun.jnu.encoding");
      throw new DoNotRetryIOException(
          "not a path in the server's character set, " + charset + ": " + named, e);
    }
  }

  @Override
  public Path real(Path path) throws IOException {
    java.nio.file.Path whole = local(path);
    java.nio.file.Path there = whole;
    while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    return hadoop(there.toRealPath().resolve(there.relativize(whole)).normalize());
  }

  /** Links may change. */
  @Override
  public Path moved(Path named, Path real) {
    return real;
  }

  @Override
  public boolean isDirectory(Path path) {
    return Files.isDirectory(local(path), LinkOption.NOFOLLOW_LINKS);
  }

  @Override
  public boolean isOther(Path path) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(local(path), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return !attributes.isRegularFile();
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  @Override
  public void makePrivate(Path directory) throws IOException {
    Files.createDirectories(local(directory.getParent()));
    Files.createDirectory(
        local(directory),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PRIVATE)));
  }

  @Override
  public void deleteTree(Path directory) throws IOException {
    try {
      Files.walkFileTree(local(directory), new Deletion());
    } catch (NoSuchFileException e) {
      // another call of the same client was faster
      return;
    }
  }

  private static java.nio.file.Path local(Path path) {
    return java.nio.file.Path.of(path.toUri().getPath());
  }

  private static Path hadoop(java.nio.file.Path path) {
    return new Path(SCHEME, null, path.toString());
  }

  /** Follows no link. */
  private static final class Deletion extends SimpleFileVisitor<java.nio.file.Path> {
    @Override
    public FileVisitResult visitFile(java.nio.file.Path file, BasicFileAttributes attributes)
        throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(java.nio.file.Path directory, IOException error)
        throws IOException {
      if (error != null) {
        throw error;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}

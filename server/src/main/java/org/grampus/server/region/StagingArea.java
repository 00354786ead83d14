package org.grampus.server.region;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;

/**
 * The directory {@code staging} of the root, where each bulk load has a directory whose name only
 * its client knows: its bulk token. Any thread.
 */
public final class StagingArea {
  private static final int RANDOM_BITS = 320;
  private static final int RADIX = 32;
  private static final int PART_LENGTH_MAX = 64;
  private static final String TOKEN_NAME = "[A-Za-z0-9_.-]+__[A-Za-z0-9_.-]+__[0-9a-v]{32,}";

  private final Optional<Path> root;
  private final SecureRandom random = new SecureRandom();

  /** The staging directory of a root directory; it is made when it is needed. */
  public StagingArea(Path rootDir) {
    this(Optional.of(rootDir.toAbsolutePath().normalize()));
  }

  private StagingArea(Optional<Path> root) {
    this.root = root;
  }

  /** That of any root directory. Where it is not on a local file system all loads are refused. */
  public static StagingArea below(org.apache.hadoop.fs.Path rootDir) {
    return "file".equals(rootDir.toUri().getScheme())
        ? new StagingArea(Path.of(rootDir.toUri().getPath()))
        : new StagingArea(Optional.empty());
  }

  /** The root directory. */
  Path root() throws DoNotRetryIOException {
    return root.orElseThrow(
        () ->
            new DoNotRetryIOException(
                "this version loads no files into a root directory that is not on a local file"
                    + " system; write the rows with a client"));
  }

  private Path staging() throws DoNotRetryIOException {
    return root().resolve(HConstants.BULKLOAD_STAGING_DIR_NAME);
  }

  /** Makes a directory for a load, which only this process may enter, and returns its token. */
  public String prepare(String user, TableName table) throws IOException {
    String name =
        plain(user)
            + "__"
            + plain(table.getNameAsString())
            + "__"
            + new BigInteger(RANDOM_BITS, random).setBit(RANDOM_BITS - 1).toString(RADIX);
    Path directory = Files.createDirectories(staging()).resolve(name);
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    return "file:" + directory;
  }

  /**
   * A part of a directory's name, for those who look at it: users and tables have longer names, in
   * all letters, and a user's is the client's own word for it.
   */
  private static String plain(String name) {
    if (name == null || name.isEmpty()) {
      return "unknown";
    }
    String plain = name.replaceAll("[^A-Za-z0-9_.-]", "_");
    return plain.substring(0, Math.min(plain.length(), PART_LENGTH_MAX));
  }

  /**
   * Whether the directory of a load is there: {@link #prepare} has made it, and the load is not
   * over.
   *
   * @throws DoNotRetryIOException when the token can be none of this cluster
   */
  public boolean isPrepared(String token) throws IOException {
    return Files.isDirectory(place(token), LinkOption.NOFOLLOW_LINKS);
  }

  /** The place of a load's directory, whether or not it is there. */
  Path place(String token) throws DoNotRetryIOException {
    Path staging = staging();
    Path directory = LoadSource.local(token);
    Path name = directory.getFileName();
    if (name == null
        || !staging.equals(directory.getParent())
        || !name.toString().matches(TOKEN_NAME)) {
      throw new DoNotRetryIOException(
          String.format(Locale.ROOT, "%s is no token of a bulk load of this cluster", token));
    }
    return directory;
  }

  /** Deletes the directory of a load with what is in it. One that is gone already is fine. */
  public void cleanUp(String token) throws IOException {
    Path directory = place(token);
    try {
      Files.walkFileTree(directory, new Deletion());
    } catch (NoSuchFileException e) {
      // another call of the same client was faster
      return;
    }
  }

  /** Follows no link. */
  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, IOException error)
        throws IOException {
      if (error != null) {
        throw error;
      }
      Files.delete(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}

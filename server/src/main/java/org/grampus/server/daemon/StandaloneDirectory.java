package org.grampus.server.daemon;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The root directory of a standalone server, held by a file lock while the process lives. A
 * directory that is not empty and not ours is refused: the master would mix its files with those of
 * another program.
 */
final class StandaloneDirectory implements AutoCloseable {
  private final Path root;
  private final FileChannel channel;
  private final FileLock lock;

  private StandaloneDirectory(Path root, FileChannel channel, FileLock lock) {
    this.root = root;
    this.channel = channel;
    this.lock = lock;
  }

  /** The local path that hbase.rootdir names, or a directory below the installation's data. */
  static Path rootOf(Configuration conf, Path data) throws StartupException {
    String configured =
        Settings.isSet(conf, HConstants.HBASE_DIR) ? conf.get(HConstants.HBASE_DIR) : null;
    if (configured == null) {
      return data.resolve("hbase").toAbsolutePath().normalize();
    }
    URI uri = new org.apache.hadoop.fs.Path(configured).toUri();
    if (uri.getScheme() != null && !uri.getScheme().equals("file")) {
      throw new StartupException(
          "hbase.rootdir is "
              + configured
              + ", but a standalone server keeps its data on the local file system; give a file: path");
    }
    return Path.of(uri.getPath()).toAbsolutePath().normalize();
  }

  /** Takes the directory, creating it when needed. */
  static StandaloneDirectory open(Path root) throws StartupException {
    Path own = root.resolve(StandaloneDefaults.PRIVATE_DIRECTORY);
    try {
      if (Files.exists(root) && !Files.isDirectory(root)) {
        throw new StartupException("hbase.rootdir " + root + " is not a directory");
      }
      if (Files.isDirectory(root) && !Files.isDirectory(own) && !isEmpty(root)) {
        throw new StartupException(
            "hbase.rootdir "
                + root
                + " holds files that Grampus did not write; give an empty directory or one that Grampus made");
      }
      Files.createDirectories(own);
      return lock(root, own.resolve("lock"));
    } catch (IOException e) {
      throw new StartupException("cannot write to hbase.rootdir " + root + ": " + reason(e), e);
    }
  }

  private static StandaloneDirectory lock(Path root, Path file)
      throws IOException, StartupException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw new StartupException("hbase.rootdir " + root + " is in use by this process already", e);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new StartupException(
          "hbase.rootdir "
              + root
              + " is in use by another Grampus; stop it or give another directory");
    }
    return new StandaloneDirectory(root, channel, lock);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.findAny().isEmpty();
    }
  }

  /** What the file system says, without the name of a Java class. */
  private static String reason(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "Permission denied";
    }
    if (e instanceof NoSuchFileException) {
      return "No such file or directory";
    }
    if (e instanceof FileSystemException failure && failure.getReason() != null) {
      return failure.getReason();
    }
    return e.toString();
  }

  /** The root directory. */
  Path root() {
    return root;
  }

  @Override
  public void close() throws IOException {
    lock.release();
    channel.close();
  }
}

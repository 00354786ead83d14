package org.grampus.server.region;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.grampus.server.env.Env;

/**
 * The directory {@code staging} of the root, where each bulk load has a directory whose name only
 * its client knows: its bulk token. Any thread.
 */
public final class StagingArea {
  private static final int RANDOM_BITS = 320;
  private static final int RADIX = 32;
  private static final int PART_LENGTH_MAX = 64;
  private static final String TOKEN_NAME = "[A-Za-z0-9_.-]+__[A-Za-z0-9_.-]+__[0-9a-v]{32,}";

  private final LoadFiles files;

  /** The staging directory of a root directory on local disks; it is made when it is needed. */
  public StagingArea(java.nio.file.Path rootDir) {
    this(new LocalLoadFiles(rootDir));
  }

  private StagingArea(LoadFiles files) {
    this.files = files;
  }

  /** That of a server's root directory. */
  public static StagingArea of(RegionFiles files) {
    Path root = files.root();
    return RegionFiles.isLocal(root)
        ? new StagingArea(java.nio.file.Path.of(root.toUri().getPath()))
        : new StagingArea(new HadoopLoadFiles(files.fileSystem(), files.clientFs(), root));
  }

  /** The root's file system. */
  LoadFiles files() {
    return files;
  }

  private Path staging() {
    return new Path(files.root(), HConstants.BULKLOAD_STAGING_DIR_NAME);
  }

  /** Makes a directory for a load, which only this process may enter, and returns its token. */
  public String prepare(String user, TableName table) throws IOException {
    String name =
        plain(user)
            + "__"
            + plain(table.getNameAsString())
            + "__"
            + Env.secret(RANDOM_BITS).setBit(RANDOM_BITS - 1).toString(RADIX);
    Path directory = new Path(staging(), name);
    files.makePrivate(directory);
    return directory.toString();
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
    return files.isDirectory(place(token));
  }

  /**
   * The place of a load's directory, whether or not it is there.
   *
   * @throws DoNotRetryIOException when the token can be none of this cluster
   * @throws IOException when the mounts cannot be asked now; the client may try again
   */
  Path place(String token) throws IOException {
    Path staging = staging();
    Path directory = files.path(token);
    if (!staging.equals(directory.getParent()) || !directory.getName().matches(TOKEN_NAME)) {
      throw new DoNotRetryIOException(
          String.format(Locale.ROOT, "%s is no token of a bulk load of this cluster", token));
    }
    return directory;
  }

  /** Deletes the directory of a load with what is in it. One that is gone already is fine. */
  public void cleanUp(String token) throws IOException {
    files.deleteTree(place(token));
  }
}

package org.grampus.server.region;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.grampus.engine.LoadRequest;

/**
 * A file that a client wants loaded: whether it may be touched, and the name under which it is
 * loaded once.
 */
public final class LoadSource {
  private static final int NAME_BYTES = 16;

  private LoadSource() {}

  /**
   * The file for the engine. One that is not there is the engine's to judge: an earlier call may
   * have loaded it.
   *
   * @param token the load's, or null: then a repeated call is not known as such
   * @throws DoNotRetryIOException for a path that is no plain file outside of the root directory or
   *     in the load's own directory
   */
  public static LoadRequest.File of(StagingArea staging, String token, byte[] family, String path)
      throws IOException {
    Path file = plainFile(path);
    Path real = real(file);
    boolean inRoot = real.startsWith(real(staging.root()));
    if (inRoot && (token == null || !real.startsWith(real(staging.place(token))))) {
      throw new DoNotRetryIOException(
          path + " is among the cluster's own files, and cannot be loaded from there");
    }
    return new LoadRequest.File(family, real.toString(), name(token, family, path));
  }

  /** A path on this machine's file systems. */
  static Path local(String path) throws DoNotRetryIOException {
    URI uri;
    try {
      uri = new org.apache.hadoop.fs.Path(path).toUri();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException("not a path: " + path, e);
    }
    boolean local = uri.getScheme() == null || uri.getScheme().equals("file");
    if (!local || uri.getPath() == null || !uri.getPath().startsWith("/")) {
      throw new DoNotRetryIOException(
          path
              + " is no absolute path of a local file system, and this server has no other; copy"
              + " the files to one that it shares");
    }
    return Path.of(uri.getPath()).normalize();
  }

  private static Path plainFile(String path) throws IOException {
    Path file = local(path);
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!attributes.isRegularFile()) {
        throw new DoNotRetryIOException("Path does not reference a file: " + path);
      }
    } catch (NoSuchFileException e) {
      return file;
    }
    return file;
  }

  /** Without links on the way to it, as far as it is there. */
  private static Path real(Path path) throws IOException {
    Path there = path;
    while (there.getParent() != null && !Files.exists(there, LinkOption.NOFOLLOW_LINKS)) {
      there = there.getParent();
    }
    return there.toRealPath().resolve(there.relativize(path)).normalize();
  }

  /** The token is known to one client, which gives its files one path each. */
  private static String name(String token, byte[] family, String path) {
    if (token == null) {
      return UUID.randomUUID().toString().replace("-", "");
    }
    MessageDigest digest = sha256();
    digest.update(token.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
    digest.update(family);
    digest.update((byte) 0);
    digest.update(path.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest.digest(), 0, NAME_BYTES);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}

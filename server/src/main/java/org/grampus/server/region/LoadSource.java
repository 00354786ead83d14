package org.grampus.server.region;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.grampus.engine.LoadRequest;
import org.grampus.server.env.Env;

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
    LoadFiles files = staging.files();
    Path named = files.path(path);
    if (files.isOther(named)) {
      throw new DoNotRetryIOException("Path does not reference a file: " + path);
    }
    Path real = files.real(named);
    boolean inRoot = LoadFiles.isWithin(real, files.real(files.root()));
    if (inRoot && (token == null || !LoadFiles.isWithin(real, files.real(staging.place(token))))) {
      throw new DoNotRetryIOException(
          path + " is among the cluster's own files, and cannot be loaded from there");
    }
    return new LoadRequest.File(
        family, RegionFiles.place(files.moved(named, real)), name(token, family, path));
  }

  /** The token is known to one client, which gives its files one path each. */
  private static String name(String token, byte[] family, String path) {
    if (token == null) {
      return Env.freshName();
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

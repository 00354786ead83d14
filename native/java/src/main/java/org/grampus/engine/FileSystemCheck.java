package org.grampus.engine;

import java.util.Objects;

/** Tries whether a file system keeps what the engine asks of it (docs/design/0036). */
public final class FileSystemCheck {
  private FileSystemCheck() {}

  /**
   * Creates, appends, flushes, reads, lists, renames, deletes and fences in a directory that is
   * missing or empty; it is deleted when all promises are kept. Waits for other machines, as long
   * as a few lease recoveries take.
   *
   * @param directory a URI
   * @throws EngineException of kind {@code IO}, with the first promise that is not kept or could
   *     not be tried; what was made is left then
   */
  public static void check(EngineFiles files, String directory) {
    NativeLibraryLoader.load();
    check0(Objects.requireNonNull(files), directory);
  }

  private static native void check0(EngineFiles files, String directory);
}

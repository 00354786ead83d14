package org.grampus.engine;

import java.io.IOException;

/**
 * Opens files for the engine's native side, where they are on a file system that it does not know
 * itself. It is called on the thread that is inside {@link NativeFrozenRegion}, {@link
 * NativeFrozenScan} or {@link NativeTableFile#mergeParquet}, and may be called on threads of the
 * engine, which are daemons; several threads may call it at a time. It may wait, and must not call
 * the region or the scan that it reads for.
 */
@FunctionalInterface
public interface FileOpener {
  /**
   * Opens a complete file.
   *
   * @param path below the root of the request, as the request writes it; a path that {@link
   *     NativeTableFile#mergeParquet} was given, as it was given
   * @throws java.io.FileNotFoundException when there is no such file; for a region the engine looks
   *     in the next place where it may be
   * @throws IOException when the file cannot be opened; the call of the engine fails with class and
   *     message of what is thrown
   */
  OpenFile open(String path) throws IOException;
}

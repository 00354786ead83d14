package org.grampus.engine;

import java.io.IOException;

/**
 * Files and directories of a server that are not on a local disk, by URIs. The engine calls it on
 * its own threads, which are daemons of the JVM, and on threads that are inside {@link
 * NativeEngine} or {@link NativeRegion}, several at a time; never on one that must not wait. A call
 * may take as long as other machines take to answer; it must not come back into the engine.
 *
 * <p>What is thrown fails the engine's step with class and message. {@link FileException} says what
 * kind of failure it is, {@link java.io.FileNotFoundException} that something is not there.
 */
public interface EngineFiles extends FileOpener {
  /**
   * Opens a complete file. Reads go on after a rename of it. What is there and no file is {@link
   * FileException.Kind#NOT_A_FILE}.
   */
  @Override
  OpenFile open(String path) throws IOException;

  /**
   * Creates a file for one writer. An existing one is {@link FileException.Kind#ALREADY_EXISTS};
   * without its directory, which is never made, it is {@link FileException.Kind#NOT_FOUND}.
   *
   * @param bulk nothing of the file is flushed before it is complete: a column file. Else it is a
   *     small file
   */
  AppendStream create(String path, boolean bulk) throws IOException;

  /**
   * The same for a segment of a log: it takes groups, each of which is flushed or synced while
   * others wait for it.
   *
   * @param most about as many bytes come into it: it may be kept in one piece with room for them
   */
  AppendStream createLog(String path, long most) throws IOException;

  /**
   * Ends the file of a writer that is dead or taken for dead: its length is final when this
   * returns, what was flushed is in it, and each call of the writer fails from now on. May wait for
   * minutes. A file that is not there is {@link FileException.Kind#NOT_FOUND}.
   */
  void recoverLease(String path) throws IOException;

  /**
   * The entries of a directory, in no order, as {@link FileEntry#text(java.util.List)}. A file is
   * {@link FileException.Kind#NOT_A_DIRECTORY}; one that is not there is {@link
   * FileException.Kind#NOT_FOUND}.
   */
  String list(String directory) throws IOException;

  /** What a path names, as {@link FileEntry#text()}; null instead of NOT_FOUND. */
  String status(String path) throws IOException;

  /**
   * Renames a file or directory, durably. A target that exists is {@link
   * FileException.Kind#ALREADY_EXISTS} and stays as it is; a missing source, or a missing directory
   * of the target, is {@link FileException.Kind#NOT_FOUND}.
   */
  void rename(String from, String to) throws IOException;

  /**
   * Deletes a file or an empty directory, durably. One with entries is {@link
   * FileException.Kind#NOT_EMPTY}; what is not there is {@link FileException.Kind#NOT_FOUND}.
   */
  void delete(String path) throws IOException;

  /** Makes a directory and its parents, durably; an existing one is fine. */
  void makeDirectories(String directory) throws IOException;
}

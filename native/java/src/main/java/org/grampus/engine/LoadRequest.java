package org.grampus.engine;

import java.util.List;

/**
 * Column files that a region takes over: {@code loadFiles} of docs/jni.md.
 *
 * @param files of equal cells of one family those of the later file count
 * @param copy the files stay where they are
 * @param verify every byte of them is looked at, not their footers alone
 * @param repeat loads nothing: the answer says whether all files were loaded before
 */
public record LoadRequest(List<File> files, boolean copy, boolean verify, boolean repeat) {
  /**
   * One file.
   *
   * @param path absolute
   * @param name 32 hex digits that tell this order from all others: under one name a region loads
   *     one file
   */
  @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and the record is only written
  public record File(byte[] family, String path, String name) {}
}

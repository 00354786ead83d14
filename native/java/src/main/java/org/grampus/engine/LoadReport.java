package org.grampus.engine;

import java.util.List;

/**
 * What a load did.
 *
 * @param sequence the id of the load; 0 when nothing was left to load
 * @param files those that were loaded now, without those of an earlier call
 */
public record LoadReport(long sequence, List<File> files) {
  /**
   * One file.
   *
   * @param name its name in the family's directory
   */
  @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and these records are never compared
  public record File(byte[] family, String name, long bytes, long cells) {}
}

package org.grampus.engine;

import java.util.List;

/** The files of a region as of one moment. */
public record SnapshotFiles(List<Family> families) {
  /** The files of one family. */
  @SuppressWarnings("ArrayRecordComponent") // a name is bytes, and no code compares these records
  public record Family(byte[] family, List<File> files) {}

  /**
   * One file.
   *
   * @param bytes its size; of a reference or link that of the file behind it
   * @param reference content of the reference file, null for other files
   */
  @SuppressWarnings("ArrayRecordComponent") // content is bytes, and no code compares these records
  public record File(String name, long bytes, @Absent byte[] reference) {}
}

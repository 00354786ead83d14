package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** Why what was read of a file is not taken for all that it had. */
final class CutFileException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * The error of a file.
   *
   * @param what lacks its end
   * @param length of the file
   * @param cause what a library said, or null
   */
  CutFileException(Path path, String what, long length, Exception cause) {
    super(
        path
            + " is cut or damaged: "
            + what
            + " is not whole at byte "
            + length
            + ", where the file ends"
            + (cause == null || cause.getMessage() == null ? "" : " (" + cause.getMessage() + ")"),
        cause);
  }
}

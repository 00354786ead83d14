package org.grampus.mapreduce.row;

import java.io.IOException;

/**
 * A file has not the columns that rows are to be made of: one is missing, or two are the same. The
 * message is a sentence without the file.
 */
public final class MissingColumnException extends IOException {
  private static final long serialVersionUID = 1;

  MissingColumnException(String message) {
    super(message);
  }
}

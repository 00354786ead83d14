package org.grampus.mapreduce.row;

import java.io.IOException;

/** A file has not what rows are to be made of; the message is a sentence without the file. */
public final class MissingColumnException extends IOException {
  private static final long serialVersionUID = 1;

  MissingColumnException(String message) {
    super(message);
  }
}

package org.grampus.mapreduce.job;

import java.io.IOException;

/** Input that cannot become a row; the message names the line and what to do. */
final class ImportException extends IOException {
  private static final long serialVersionUID = 1L;

  ImportException(String message) {
    super(message);
  }
}

package org.grampus.mapreduce.files;

import java.io.IOException;

/** A report is none, or is not that of the file beside it. */
public final class BadReportException extends IOException {
  private static final long serialVersionUID = 1;

  /** With a sentence. */
  public BadReportException(String message) {
    super(message);
  }

  /** With a sentence and what was thrown. */
  public BadReportException(String message, Throwable cause) {
    super(message, cause);
  }
}

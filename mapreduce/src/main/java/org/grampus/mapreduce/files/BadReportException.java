package org.grampus.mapreduce.download;

import java.io.IOException;

/** A report is none, or is not that of the file beside it. */
final class BadReportException extends IOException {
  private static final long serialVersionUID = 1;

  BadReportException(String message) {
    super(message);
  }

  BadReportException(String message, Throwable cause) {
    super(message, cause);
  }
}

package org.grampus.server.daemon;

/**
 * A start that cannot succeed; the message is the one sentence that the operator sees before exit
 * 1.
 */
public final class StartupException extends Exception {
  private static final long serialVersionUID = 1L;

  /** A sentence that names the thing and what to do. */
  public StartupException(String message) {
    super(message);
  }

  /** The same with the failure underneath, which goes to the log. */
  public StartupException(String message, Throwable cause) {
    super(message, cause);
  }
}

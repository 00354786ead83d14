package org.grampus.perf;

/** A measurement that failed or must not count. Its message is the sentence that the user reads. */
public final class ToolException extends Exception {
  private static final long serialVersionUID = 1;

  /** With the sentence that is printed. */
  public ToolException(String sentence) {
    super(sentence);
  }

  /** With the sentence that is printed, and what was behind it. */
  public ToolException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}

package org.grampus.mapreduce.command;

/** What a command asks of its arguments. */
public final class Arguments {
  private Arguments() {}

  /**
   * Requires a condition.
   *
   * @param otherwise the sentence that says what is wrong
   * @throws IllegalArgumentException when it does not hold
   */
  public static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}

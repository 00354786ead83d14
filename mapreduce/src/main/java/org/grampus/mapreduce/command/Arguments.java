package org.grampus.mapreduce.command;

import picocli.CommandLine.Model.CommandSpec;

/** What a command asks of its arguments. */
public final class Arguments {
  /** What Java makes of bytes that the locale's character set lacks. */
  private static final char REPLACEMENT = '\uFFFD';

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

  /**
   * Refuses arguments that this process has not got as they were written. A filter or a row key
   * would mean other rows, and a name another file.
   *
   * @param command whose arguments are parsed
   * @throws IllegalArgumentException with a sentence that has the first of them
   */
  public static void requireSpelled(CommandSpec command) {
    for (String argument : command.commandLine().getParseResult().expandedArgs()) {
      require(
          argument.indexOf(REPLACEMENT) < 0,
          "the argument "
              + argument
              + " has a character (U+FFFD) in the place of bytes that are not of this process's"
              + " character set: run the command in a locale of UTF-8, such as LC_ALL=C.UTF-8");
    }
  }
}

package org.grampus.mapreduce.command;

/** What a command says of an exception. */
public final class Sentence {
  private Sentence() {}

  /** Exceptions of a server have its stack behind their first line. */
  public static String of(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse(message);
  }
}

package org.grampus.mapreduce.download;

/** What a command says of an exception. */
final class Sentence {
  private Sentence() {}

  /** Exceptions of a server have its stack behind their first line. */
  static String of(Exception e) {
    String message = e.getMessage() == null ? e.toString() : e.getMessage();
    return message.lines().findFirst().orElse(message);
  }
}

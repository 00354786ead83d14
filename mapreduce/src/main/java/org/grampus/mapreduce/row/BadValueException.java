package org.grampus.mapreduce.row;

/** A record that no row can be made of; the message is the end of a sentence that names it. */
public final class BadValueException extends Exception {
  private static final long serialVersionUID = 1;

  BadValueException(String message) {
    super(message);
  }

  /** The same of a column. */
  BadValueException in(String column) {
    return new BadValueException("column " + column + ": " + getMessage());
  }
}

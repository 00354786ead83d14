package org.grampus.mapreduce.source;

/** A column of a file has a type that no cell can be made of; the message is a sentence. */
final class UnsupportedTypeException extends IllegalArgumentException {
  private static final long serialVersionUID = 1;

  UnsupportedTypeException(String column, Object type) {
    super(
        "column "
            + column
            + " has the type "
            + type
            + ", of which no cell can be made; name the columns that are wanted with --columns");
  }
}

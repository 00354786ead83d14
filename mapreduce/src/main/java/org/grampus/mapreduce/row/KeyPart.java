package org.grampus.mapreduce.row;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A column of a key, and the form of its value.
 *
 * @param column its name
 * @param form of the value
 */
record KeyPart(String column, Form form) {
  private static final Pattern FORM =
      Pattern.compile("(?<column>.+):(?:0(?<digits>[1-9]\\d?)d|(?<width>[1-9]\\d?\\d?)s|reverse)");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+");

  /** The text of a key for the text of a value. */
  @FunctionalInterface
  interface Form {
    String of(String value) throws BadValueException;
  }

  static KeyPart parse(String text) {
    String part = text.strip();
    KeyExpression.require(!part.isEmpty(), "a column has no name");
    Matcher formed = FORM.matcher(part);
    return formed.matches()
        ? new KeyPart(formed.group("column"), form(formed))
        : new KeyPart(part, value -> value);
  }

  private static Form form(Matcher formed) {
    if (formed.group("digits") != null) {
      int width = Integer.parseInt(formed.group("digits"));
      return value -> number(value, width);
    }
    if (formed.group("width") != null) {
      int width = Integer.parseInt(formed.group("width"));
      return value -> wide(value, width);
    }
    return value -> new StringBuilder(value).reverse().toString();
  }

  /** The text of a value in the key; null is empty. */
  String of(Object value) throws BadValueException {
    try {
      return form.of(value == null ? "" : TextForm.of(value));
    } catch (BadValueException e) {
      throw e.in(column);
    }
  }

  private static String number(String value, int width) throws BadValueException {
    if (!NUMBER.matcher(value).matches()) {
      throw new BadValueException(
          TextForm.shown(value) + " is no whole number from 0 on, which the key needs");
    }
    return "0".repeat(room(value, width)) + value;
  }

  private static String wide(String value, int width) throws BadValueException {
    if (value.endsWith(" ")) {
      throw new BadValueException(
          TextForm.shown(value) + " ends with a space, as the key has behind shorter texts");
    }
    return value + " ".repeat(room(value, width));
  }

  private static int room(String value, int width) throws BadValueException {
    int room = width - value.codePointCount(0, value.length());
    if (room < 0) {
      throw new BadValueException(
          TextForm.shown(value) + " is longer than " + width + ", which the key has room for");
    }
    return room;
  }
}

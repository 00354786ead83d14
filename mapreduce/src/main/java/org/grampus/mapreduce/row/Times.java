package org.grampus.mapreduce.row;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;

/**
 * Points in time, of what records say of them.
 *
 * @param zone of times that have none; null when the user has not said it
 */
record Times(ZoneId zone) {
  private static final String TYPE = "timestamp";

  /**
   * Milliseconds since 1970-01-01 UTC, of a time, of ISO 8601, or of their number.
   *
   * @throws BadValueException also when something shorter would be lost
   */
  long millis(Object value) throws BadValueException {
    if (value instanceof Long || value instanceof BigDecimal) {
      return Numbers.integer(value, Long.SIZE, TYPE);
    }
    String text = TextForm.of(value);
    if (text.indexOf('T') <= 0) {
      return Numbers.integer(text, Long.SIZE, TYPE);
    }
    return millis(value instanceof Instant instant ? instant : instant(value, text), text);
  }

  private static long millis(Instant time, String text) throws BadValueException {
    long millis;
    try {
      millis = time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new BadValueException(
          TextForm.shown(text) + " is too far from 1970 for a " + TYPE + " of 64 bits");
    }
    if (!Instant.ofEpochMilli(millis).equals(time)) {
      throw new BadValueException(
          TextForm.shown(text) + " has more than milliseconds, which a " + TYPE + " has not");
    }
    return millis;
  }

  private Instant instant(Object value, String text) throws BadValueException {
    try {
      return value instanceof LocalDateTime local ? zoned(local, text) : Instant.parse(text);
    } catch (DateTimeException e) {
      return parsedLocal(text);
    }
  }

  private Instant parsedLocal(String text) throws BadValueException {
    LocalDateTime local;
    try {
      local = LocalDateTime.parse(text);
    } catch (DateTimeException e) {
      throw new BadValueException(
          TextForm.shown(text) + " is no " + TYPE + " such as 2026-11-22T23:21:36.000Z");
    }
    return zoned(local, text);
  }

  private Instant zoned(LocalDateTime local, String text) throws BadValueException {
    if (zone == null) {
      throw new BadValueException(
          TextForm.shown(text) + " is a time without a zone; --zone says which one it has");
    }
    List<ZoneOffset> offsets = zone.getRules().getValidOffsets(local);
    if (offsets.size() != 1) {
      throw new BadValueException(
          TextForm.shown(text)
              + (offsets.isEmpty() ? " is no time in " : " is two times in ")
              + zone
              + ", where clocks are changed then; only a time with its own zone is a "
              + TYPE);
    }
    return local.toInstant(offsets.get(0));
  }
}

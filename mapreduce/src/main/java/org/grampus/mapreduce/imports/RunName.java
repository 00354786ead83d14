package org.grampus.mapreduce.imports;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.apache.hadoop.util.Time;
import org.grampus.mapreduce.files.FreshName;

/**
 * Names of directories of one import alone, which sort by time. What begins with an underscore is
 * no input, also of an import whose files lie around it.
 */
final class RunName {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int CHANCE_DIGITS = 8;

  private RunName() {}

  /** A name that no other import has. */
  static String next() {
    return "_"
        + TIME.format(Instant.ofEpochMilli(Time.now()))
        + "-"
        + FreshName.next().substring(0, CHANCE_DIGITS);
  }
}

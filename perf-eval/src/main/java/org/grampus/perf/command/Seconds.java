package org.grampus.perf.command;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of seconds above 0, a day at most. */
final class Seconds implements ITypeConverter<Double> {
  private static final double MOST = Duration.ofDays(1).toSeconds();

  @Override
  public Double convert(String typed) {
    double seconds;
    try {
      seconds = Double.parseDouble(typed);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + typed + "' is not a number of seconds");
    }
    if (!(seconds > 0 && seconds <= MOST)) { // also refuses NaN
      throw new TypeConversionException(
          typed + " is not a time: it has to be above 0 and " + Math.round(MOST) + " s at most");
    }
    return seconds;
  }
}

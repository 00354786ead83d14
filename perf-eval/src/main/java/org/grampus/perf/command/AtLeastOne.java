package org.grampus.perf.command;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of things to do, of which there has to be one. */
final class AtLeastOne implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String typed) {
    int number;
    try {
      number = Integer.parseInt(typed);
    } catch (NumberFormatException e) {
      throw new TypeConversionException("'" + typed + "' is not a number");
    }
    if (number < 1) {
      throw new TypeConversionException(typed + " is less than 1");
    }
    return number;
  }
}

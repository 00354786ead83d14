package org.grampus.perf.command;

import org.grampus.perf.stream.StreamBench;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The size of a group in KiB, of which a block of HDFS has to hold enough. */
final class GroupKib implements ITypeConverter<Integer> {
  private final AtLeastOne atLeastOne = new AtLeastOne();

  @Override
  public Integer convert(String typed) {
    int kib = atLeastOne.convert(typed);
    if (kib > StreamBench.GROUP_KIB_MAX) {
      throw new TypeConversionException(
          typed
              + " is more than "
              + StreamBench.GROUP_KIB_MAX
              + ": a block of HDFS, which a file has one of, must hold "
              + StreamBench.GROUPS_MIN
              + " groups");
    }
    return kib;
  }
}

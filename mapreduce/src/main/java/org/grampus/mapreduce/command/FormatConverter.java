package org.grampus.mapreduce.command;

import org.grampus.mapreduce.files.FileFormat;
import picocli.CommandLine.ITypeConverter;

/** Names of formats on a command line. */
public final class FormatConverter implements ITypeConverter<FileFormat> {
  /** For the command line. */
  public FormatConverter() {}

  @Override
  public FileFormat convert(String name) {
    return FileFormat.of(name);
  }
}

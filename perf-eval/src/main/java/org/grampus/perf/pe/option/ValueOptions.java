package org.grampus.perf.pe.option;

import org.grampus.perf.pe.value.ValueProfile;
import picocli.CommandLine.Option;

/** What rows are made of. */
public final class ValueOptions {
  @Option(
      names = "--valueSize",
      paramLabel = "BYTES",
      description = "Pass value size to use. Default: 1000",
      defaultValue = "1000")
  private int size;

  @Option(
      names = "--valueRandom",
      arity = "0..1",
      fallbackValue = "true",
      description = "Set if we should vary value size between 0 and 'valueSize'")
  private boolean random;

  @Option(
      names = "--valueZipf",
      arity = "0..1",
      fallbackValue = "true",
      description = "Set if we should vary value size between 0 and 'valueSize' in zipf form")
  private boolean zipf;

  @Option(
      names = "--profile",
      paramLabel = "PROFILE",
      description = "What values are like: ${COMPLETION-CANDIDATES}. Default: letters",
      defaultValue = "LETTERS")
  private ValueProfile profile;

  @Option(
      names = "--valueSeed",
      paramLabel = "N",
      description =
          "Values follow from it, the row and the column; --verify needs that of the run that wrote"
              + " them. Default: 0",
      defaultValue = "0")
  private long seed;

  @Option(
      names = "--columns",
      paramLabel = "N",
      description = "Columns to write per row and family, and to read. Default: 1",
      defaultValue = "1")
  private int columns;

  @Option(
      names = "--families",
      paramLabel = "N",
      description = "Specify number of column families for the table. Default: 1",
      defaultValue = "1")
  private int families;

  @Option(
      names = "--usetags",
      arity = "0..1",
      fallbackValue = "true",
      description = "Writes tags along with KVs. Default: false")
  private boolean tags;

  @Option(
      names = "--numoftags",
      paramLabel = "N",
      description =
          "Specify the no of tags that would be needed. This works only if usetags is true."
              + " Default: 1",
      defaultValue = "1")
  private int tagCount;

  /** Bytes of a value, or their bound. */
  public int size() {
    return size;
  }

  public boolean random() {
    return random;
  }

  public boolean zipf() {
    return zipf;
  }

  public ValueProfile profile() {
    return profile;
  }

  public long seed() {
    return seed;
  }

  public int columns() {
    return columns;
  }

  public int families() {
    return families;
  }

  /** Tags of a cell; 0: none. */
  public int tags() {
    return tags ? tagCount : 0;
  }

  int tagCount() {
    return tagCount;
  }
}

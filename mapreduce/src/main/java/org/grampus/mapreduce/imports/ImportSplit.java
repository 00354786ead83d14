package org.grampus.mapreduce.imports;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** A part of a file, which knows its place among all parts of all files of an import. */
public final class ImportSplit extends FileSplit {
  private int number;

  /** For the framework. */
  public ImportSplit() {}

  /**
   * The same part, with its place.
   *
   * @param number from 0 on; the records of a later part win against those of an earlier one
   */
  ImportSplit(FileSplit part, int number) throws IOException {
    super(part.getPath(), part.getStart(), part.getLength(), part.getLocations());
    this.number = number;
  }

  /** Its place among all parts. */
  int number() {
    return number;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    super.write(out);
    out.writeInt(number);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    super.readFields(in);
    number = in.readInt();
  }
}

package org.grampus.mapreduce.download;

import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.Text;
import org.grampus.mapreduce.files.DurableFile;

/**
 * The splits of a download and what it was asked for, kept beside its parts so that it can go on.
 *
 * @param wanted the request: see {@link DownloadRequest#wanted}
 * @param parts all of them, in the order of rows
 */
record DownloadPlan(String wanted, List<PartSplit> parts) {
  private static final int MAGIC = 0x47445031; // "GDP1"

  /** Bytes: a scan with a filter of many rows is long. */
  private static final int WANTED_BYTES_MAX = 64 << 20;

  /** What one wants to know of a plan. */
  @FunctionalInterface
  private interface Reader<T> {
    T read(String wanted, int parts, DataInput in) throws IOException;
  }

  /** Writes it; a file with the name of a plan is a whole one. */
  void write(FileSystem fs, DownloadLayout layout) throws IOException {
    Path beside = new Path(layout.attempts(), "plan");
    DurableFile.write(fs, beside, this::write);
    if (!fs.rename(beside, layout.plan())) {
      throw new IOException("cannot name the plan " + layout.plan());
    }
  }

  private void write(DataOutput out) throws IOException {
    out.writeInt(MAGIC);
    Text.writeString(out, wanted);
    out.writeInt(parts.size());
    for (PartSplit part : parts) {
      part.write(out);
    }
  }

  /**
   * Reads it.
   *
   * @throws FileNotFoundException when there is none
   */
  static DownloadPlan read(FileSystem fs, DownloadLayout layout) throws IOException {
    return read(
        fs,
        layout,
        (wanted, count, in) -> {
          List<PartSplit> parts = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            PartSplit part = new PartSplit();
            part.readFields(in);
            parts.add(part);
          }
          return new DownloadPlan(wanted, parts);
        });
  }

  /** How many parts there are. */
  static int countParts(FileSystem fs, DownloadLayout layout) throws IOException {
    return read(fs, layout, (wanted, count, in) -> count);
  }

  /**
   * Looks whether a download that goes on is what was begun.
   *
   * @throws IOException when there is no download, or one of another request
   */
  static void requireSame(FileSystem fs, DownloadLayout layout, String wanted) throws IOException {
    String begun;
    try {
      begun = read(fs, layout, (text, count, in) -> text);
    } catch (FileNotFoundException e) {
      throw new IOException(layout.directory() + " has no download that could go on", e);
    }
    if (!begun.equals(wanted)) {
      throw new IOException(
          layout.directory()
              + " has an unfinished download of other rows, columns or format, or of an earlier"
              + " snapshot of the same name; give the options that it began with, or remove the"
              + " directory");
    }
  }

  private static <T> T read(FileSystem fs, DownloadLayout layout, Reader<T> reader)
      throws IOException {
    try (DataInputStream in = fs.open(layout.plan())) {
      if (in.readInt() != MAGIC) {
        throw new IOException(layout.plan() + " is no plan of a download");
      }
      String wanted = Text.readString(in, WANTED_BYTES_MAX);
      return reader.read(wanted, in.readInt(), in);
    } catch (EOFException e) {
      throw new IOException(layout.plan() + " ends within the plan", e);
    }
  }
}

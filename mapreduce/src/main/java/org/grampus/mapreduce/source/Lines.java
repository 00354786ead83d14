package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.LineRecordReader;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;

/** The lines of a split: those that begin in it, as Hadoop's own reader tells. One thread. */
final class Lines implements Closeable {
  private final FileSplit split;
  private final LineRecordReader reader = new LineRecordReader();
  private final Utf8 utf8 = new Utf8();
  private long number;

  private Lines(FileSplit split) {
    this.split = split;
  }

  static Lines open(Configuration conf, FileSplit split) throws IOException {
    Lines lines = new Lines(split);
    try {
      lines.reader.initialize(split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
      return lines;
    } catch (RuntimeException | UnsatisfiedLinkError e) { // as SourceFile
      IOUtils.closeStream(lines);
      throw new IOException(
          split.getPath() + " cannot be decompressed by Hadoop here: " + e.getMessage(), e);
    } catch (IOException e) {
      IOUtils.closeStream(lines);
      throw e;
    }
  }

  /** The first line of a file, or null if it has none. */
  static String first(Configuration conf, Path path) throws IOException {
    try (Lines lines = open(conf, new FileSplit(path, 0, 1, null))) {
      return lines.next() ? lines.text() : null;
    } catch (CharacterCodingException e) {
      throw new IOException(path + ": the first line is no UTF-8", e);
    }
  }

  /** Goes to the next line; false at the end. */
  boolean next() throws IOException {
    number++;
    return reader.nextKeyValue();
  }

  /**
   * The line, without its end.
   *
   * @throws CharacterCodingException when it is no UTF-8
   */
  String text() throws CharacterCodingException {
    Text line = reader.getCurrentValue();
    return utf8.text(line.getBytes(), 0, line.getLength());
  }

  /** The line; what is no UTF-8 is replaced. */
  String raw() {
    Text line = reader.getCurrentValue();
    return new String(line.getBytes(), 0, line.getLength(), StandardCharsets.UTF_8);
  }

  Place place() {
    String file = split.getPath().toString();
    return split.getStart() == 0
        ? new Place(file, Place.Unit.LINE, number)
        : new Place(file, Place.Unit.BYTE, reader.getCurrentKey().get());
  }

  float progress() throws IOException {
    return reader.getProgress();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}

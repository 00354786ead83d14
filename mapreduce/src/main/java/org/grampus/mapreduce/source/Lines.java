package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.util.LineReader;

/**
 * The lines of a split: those that begin in it. A line across a border is the earlier split's.
 * Hadoop's own record reader is not used, for it leaves out lines that are longer than the site
 * says. One thread.
 */
final class Lines implements Closeable {
  /** More is no line, but a file of another kind. */
  private static final int LINE_BYTES_MAX = 64 << 20;

  private final SplitText file;
  private final LineReader reader;
  private final Text line = new Text();
  private final Utf8 utf8 = new Utf8();
  private long number;

  private long linePosition;

  /**
   * A later split begins one byte before, so that a line which begins with the split is its own.
   */
  private Lines(Configuration conf, FileSplit split) throws IOException {
    this.file = new SplitText(conf, split, 1);
    try {
      this.reader = new LineReader(file.in());
      if (!file.isFirst()) {
        read();
      }
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(file);
      throw e;
    }
  }

  static Lines open(Configuration conf, FileSplit split) throws IOException {
    return new Lines(conf, split);
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
    boolean isFirst = file.isFirst() && number == 0; // may have a mark before it
    if (!isFirst && file.isBehind()) {
      return false;
    }
    number++;
    return read();
  }

  private boolean read() throws IOException {
    linePosition = file.position();
    int bytes = reader.readLine(line, LINE_BYTES_MAX + 1, LINE_BYTES_MAX + 1);
    file.taken(bytes);
    if (line.getLength() > LINE_BYTES_MAX) {
      throw new IOException(
          place() + ": the line is longer than " + (LINE_BYTES_MAX >> 20) + " MiB");
    }
    return bytes > 0;
  }

  /**
   * The line, without its end.
   *
   * @throws CharacterCodingException when it is no UTF-8
   */
  String text() throws CharacterCodingException {
    return utf8.text(line.getBytes(), 0, line.getLength());
  }

  /** The line; what is no UTF-8 is replaced. */
  String raw() {
    return new String(line.getBytes(), 0, line.getLength(), StandardCharsets.UTF_8);
  }

  Place place() {
    return file.place(number, linePosition);
  }

  float progress() throws IOException {
    return file.progress();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.ByteOrderMark;
import org.apache.commons.io.input.BOMInputStream;
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

  private final FileSplit split;
  private final SourceFile file;
  private final boolean compressed;
  private final LineReader reader;
  private final Text line = new Text();
  private final Utf8 utf8 = new Utf8();
  private long number;

  /** Of the text, which is longer than the file if that is compressed. */
  private long position;

  private long linePosition;

  private Lines(Configuration conf, FileSplit split) throws IOException {
    this.split = split;
    this.file = SourceFile.open(conf, split.getPath());
    this.compressed = SourceFile.codec(conf, split.getPath()) != null;
    try {
      this.reader = new LineReader(begin());
      if (split.getStart() > 0) {
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

  /**
   * A later split begins one byte before, so that a line which begins with the split is its own.
   */
  private InputStream begin() throws IOException {
    if (split.getStart() > 0) {
      position = split.getStart() - 1;
      file.seek(position);
      return file.in();
    }
    BOMInputStream marked = new BOMInputStream(file.in());
    position = marked.hasBOM() ? ByteOrderMark.UTF_8.length() : 0;
    return marked;
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
    boolean isFirst = split.getStart() == 0 && number == 0; // may have a mark before it
    if (!compressed && !isFirst && position >= split.getStart() + split.getLength()) {
      return false;
    }
    number++;
    return read();
  }

  private boolean read() throws IOException {
    linePosition = position;
    int bytes = reader.readLine(line, LINE_BYTES_MAX + 1, LINE_BYTES_MAX + 1);
    position += bytes;
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
    String path = split.getPath().toString();
    return split.getStart() == 0
        ? new Place(path, Place.Unit.LINE, number)
        : new Place(path, Place.Unit.BYTE, linePosition);
  }

  float progress() throws IOException {
    long read = compressed ? file.position() : position - split.getStart();
    return split.getLength() == 0 ? 1 : Math.min(1, (float) read / split.getLength());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

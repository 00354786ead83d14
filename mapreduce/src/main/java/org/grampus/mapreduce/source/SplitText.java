package org.grampus.mapreduce.source;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.io.ByteOrderMark;
import org.apache.commons.io.input.BOMInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** The text of a split, without the mark at the beginning of a file. One thread. */
final class SplitText implements Closeable {
  private final FileSplit split;
  private final SourceFile file;
  private final boolean compressed;
  private final InputStream in;

  /** Of the text, which is longer than the file if that is compressed. */
  private long position;

  /**
   * Opens it.
   *
   * @param before bytes before the split that are read as well, where the file has any
   */
  SplitText(Configuration conf, FileSplit split, int before) throws IOException {
    this.split = split;
    this.file = SourceFile.open(conf, split.getPath());
    this.compressed = SourceFile.codec(conf, split.getPath()) != null;
    try {
      this.in = begin(before);
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(file);
      throw e;
    }
  }

  private InputStream begin(int before) throws IOException {
    if (!isFirst()) {
      position = split.getStart() - before;
      file.seek(position);
      return file.in();
    }
    BOMInputStream marked = new BOMInputStream(file.in());
    position = marked.hasBOM() ? ByteOrderMark.UTF_8.length() : 0;
    return marked;
  }

  /** Its bytes; what is taken of them is told by {@link #taken}. */
  InputStream in() {
    return in;
  }

  /** Whether it is the first one of its file. */
  boolean isFirst() {
    return split.getStart() == 0;
  }

  /** Goes on by bytes of the text. */
  void taken(int bytes) {
    position += bytes;
  }

  long position() {
    return position;
  }

  /** Whether what begins here is the next split's. */
  boolean isBehind() {
    return !compressed && position >= split.getStart() + split.getLength();
  }

  /**
   * Where a record of the file is.
   *
   * @param line its number, which counts in the first split
   * @param byteOffset of the text, for the others
   */
  Place place(long line, long byteOffset) {
    String path = split.getPath().toString();
    return isFirst()
        ? new Place(path, Place.Unit.LINE, line)
        : new Place(path, Place.Unit.BYTE, byteOffset);
  }

  /** How much of the split is read, from 0 to 1. */
  float progress() throws IOException {
    long read = compressed ? file.position() : position - split.getStart();
    return split.getLength() == 0 ? 1 : Math.min(1, (float) read / split.getLength());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}

package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.Progressable;
import org.grampus.mapreduce.source.LineCount;
import org.grampus.mapreduce.source.Place;

/** Says a place within a file of text as a line, for which the file is read up to there. */
final class LineNumber {
  private static final int BUFFER_BYTES = 1 << 18;

  private LineNumber() {}

  /**
   * The same place, as a line if it is a byte of a text.
   *
   * @param task is told of each buffer that was read, so that a cluster does not take it for dead
   */
  static Place of(Configuration conf, Place place, Progressable task) throws IOException {
    if (place.unit() != Place.Unit.BYTE) {
      return place;
    }
    Path path = new Path(place.file());
    LineCount lines = new LineCount();
    long left = place.number();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
      while (left > 0) {
        int read = in.read(buffer, 0, (int) Math.min(left, buffer.length));
        if (read < 0) {
          throw new IOException(path + " has become shorter while it was read");
        }
        for (int i = 0; i < read; i++) {
          lines.take(buffer[i]);
        }
        left -= read;
        task.progress();
      }
    }
    return new Place(place.file(), Place.Unit.LINE, lines.line());
  }
}

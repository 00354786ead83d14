package org.grampus.mapreduce.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.commons.io.ByteOrderMark;
import org.apache.commons.io.input.BOMInputStream;

/**
 * Where a CSV file can be split. Whether a line end is within quotes is known only from the
 * beginning of the file on, so that all of it is read, up to the last border.
 */
public final class CsvBorders {
  private static final int BUFFER_BYTES = 1 << 18;

  private CsvBorders() {}

  /**
   * Finds for each wanted border the first byte from there on that begins a record, or the length
   * of the file where there is none. The first record is none of them: it belongs to what is before
   * it.
   *
   * @param in the file from its first byte on; stays the caller's
   * @param wanted ascending
   */
  public static long[] find(InputStream in, long[] wanted) throws IOException {
    BOMInputStream text = new BOMInputStream(in);
    CsvMachine machine = new CsvMachine();
    byte[] buffer = new byte[BUFFER_BYTES];
    long[] found = new long[wanted.length];
    int next = 0;
    long begin = text.hasBOM() ? ByteOrderMark.UTF_8.length() : 0;
    long position = begin;
    for (int read = text.read(buffer); read >= 0 && next < found.length; read = text.read(buffer)) {
      for (int i = 0; i < read; i++) {
        if (machine.beginsRecord(buffer[i]) && position + i > begin) {
          for (; next < found.length && wanted[next] <= position + i; next++) {
            found[next] = position + i;
          }
        }
        machine.take(buffer[i]);
      }
      position += read;
    }
    Arrays.fill(found, next, found.length, position);
    return found;
  }
}

package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/**
 * The end of a file of bzip2. Hadoop looks for a next block, bit by bit, and takes the end of the
 * file for the end of the text, so that it misses a cut behind a block. A whole stream ends with a
 * mark and a checksum, of which neither begins at a whole byte. Zeros may follow, as of tapes.
 */
final class Bzip2End {
  private static final long MARK = 0x177245385090L;
  private static final long MARK_MASK = 0xffffffffffffL;
  private static final int MARK_BITS = 48;
  private static final int CHECKSUM_BITS = 32;

  /** Those of a mark, a checksum and the bits before and behind them. */
  private static final int END_BYTES = 12;

  private static final int WINDOW_BYTES = 1 << 16;

  private Bzip2End() {}

  /** Whether a file ends with a whole stream, and zeros. */
  static boolean isWhole(FSDataInputStream file, long length) throws IOException {
    long zeros = zerosBegin(file, length); // zeros of a checksum may be among them
    long begin = Math.max(0, zeros - END_BYTES);
    byte[] end = read(file, begin, Math.min(length, zeros + END_BYTES));
    long bits = 0;
    for (int bit = 0; bit < end.length * Byte.SIZE; bit++) {
      bits = (bits << 1 | bit(end, bit)) & MARK_MASK;
      if (bits == MARK && bit + 1 >= MARK_BITS && isEnd(end, bit + 1)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a checksum and nothing but zeros are behind a bit. */
  private static boolean isEnd(byte[] end, int bit) {
    int behind = bit + CHECKSUM_BITS;
    if (behind > end.length * Byte.SIZE) {
      return false;
    }
    for (int i = behind; i < end.length * Byte.SIZE; i++) {
      if (bit(end, i) != 0) {
        return false;
      }
    }
    return true;
  }

  private static int bit(byte[] bytes, int bit) {
    return bytes[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1;
  }

  /** Where the zeros begin that a file ends with. */
  private static long zerosBegin(FSDataInputStream file, long length) throws IOException {
    for (long end = length; end > 0; ) {
      long begin = Math.max(0, end - WINDOW_BYTES);
      byte[] window = read(file, begin, end);
      for (int i = window.length; i > 0; i--) {
        if (window[i - 1] != 0) {
          return begin + i;
        }
      }
      end = begin;
    }
    return 0;
  }

  private static byte[] read(FSDataInputStream file, long begin, long end) throws IOException {
    byte[] bytes = new byte[(int) (end - begin)];
    file.readFully(begin, bytes);
    return bytes;
  }
}

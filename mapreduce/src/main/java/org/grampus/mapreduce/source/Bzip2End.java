package org.grampus.mapreduce.source;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;

/**
 * The end of a file of bzip2. Hadoop looks for a next block, bit by bit, and takes the end of the
 * file for the end of the text, so that it misses a cut behind a block. A whole stream ends with a
 * mark and a checksum, of which neither begins at a whole byte. Zeros may follow, as of tapes.
 */
final class Bzip2End {
  private static final long MARK = 0x177245385090L;
  private static final long MARK_OF_BLOCK = 0x314159265359L;
  private static final long MARK_MASK = 0xffffffffffffL;
  private static final int MARK_BITS = 48;
  private static final int CHECKSUM_BITS = 32;

  /** Those of a mark, a checksum and the bits before and behind them. */
  private static final int END_BYTES = 12;

  private static final int WINDOW_BYTES = 1 << 16;

  /** What a stream begins with. */
  private static final byte[] BEGIN = {'B', 'Z', 'h'};

  private Bzip2End() {}

  /**
   * Refuses a file that does not end with a whole stream, and zeros.
   *
   * @param what of the file is cut then
   */
  static void require(FSDataInputStream file, Path path, String what, long length)
      throws IOException {
    long zeros = zerosBegin(file, length); // zeros of a checksum may be among them
    long end = lastEnd(file, length, Math.min(length, zeros + END_BYTES));
    if (end < 0 || (end < zeros && streamBegins(file, end, zeros))) {
      throw new CutFileException(path, what, length, null);
    }
    if (end < zeros) {
      throw new IOException(
          path
              + ": something follows the end of the bzip2 data at byte "
              + end
              + "; remove it, so that the file has "
              + end
              + " bytes");
    }
  }

  /**
   * Where the last stream ends that begins before a byte.
   *
   * @return -1 when a block is behind the last end, or no end is whole
   */
  private static long lastEnd(FSDataInputStream file, long length, long before) throws IOException {
    for (long behind = before; behind > 0; ) {
      long begin = Math.max(0, behind - WINDOW_BYTES);
      byte[] window = read(file, begin, Math.min(length, behind + END_BYTES));
      int mark = lastMark(window);
      if (mark > 0) {
        long end = begin + (mark + CHECKSUM_BITS + Byte.SIZE - 1) / Byte.SIZE;
        return end <= length ? end : -1;
      }
      if (mark < 0) {
        return -1;
      }
      behind = begin;
    }
    return -1;
  }

  /** The bit behind the last mark of an end; -1 when that of a block is the last, 0 without one. */
  private static int lastMark(byte[] window) {
    int last = 0;
    long bits = 0;
    for (int bit = 0; bit < window.length * Byte.SIZE; bit++) {
      bits = (bits << 1 | bit(window, bit)) & MARK_MASK;
      if (bit + 1 >= MARK_BITS && bits == MARK) {
        last = bit + 1;
      } else if (bit + 1 >= MARK_BITS && bits == MARK_OF_BLOCK) {
        last = -1;
      }
    }
    return last;
  }

  private static int bit(byte[] bytes, int bit) {
    return bytes[bit / Byte.SIZE] >> (Byte.SIZE - 1 - bit % Byte.SIZE) & 1;
  }

  /** Whether a stream begins at a byte, or is cut within its first bytes. */
  private static boolean streamBegins(FSDataInputStream file, long begin, long end)
      throws IOException {
    byte[] bytes = read(file, begin, Math.min(end, begin + BEGIN.length));
    return Arrays.equals(bytes, Arrays.copyOf(BEGIN, bytes.length));
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

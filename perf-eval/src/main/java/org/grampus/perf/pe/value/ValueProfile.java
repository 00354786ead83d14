package org.grampus.perf.pe.value;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/** What values are like, which decides how far they can be compressed. */
public enum ValueProfile {
  /** Capital letters, eight times the same in a row, as HBase's class writes them. */
  LETTERS {
    @Override
    void fill(byte[] value, SplittableRandom numbers) {
      for (int from = 0; from < value.length; from += RUN) {
        byte letter = (byte) ('A' + numbers.nextInt(LETTER_COUNT));
        Arrays.fill(value, from, Math.min(value.length, from + RUN), letter);
      }
    }
  },
  /** Bytes that cannot be compressed. */
  RANDOM {
    @Override
    void fill(byte[] value, SplittableRandom numbers) {
      numbers.nextBytes(value);
    }
  },
  /** Words of a small vocabulary with spaces, short words more often. */
  TEXT {
    @Override
    void fill(byte[] value, SplittableRandom numbers) {
      int at = 0;
      while (at < value.length) {
        int rank = Math.min(numbers.nextInt(WORDS.length), numbers.nextInt(WORDS.length));
        byte[] word = WORDS[rank];
        int length = Math.min(word.length, value.length - at);
        System.arraycopy(word, 0, value, at, length);
        at += length;
      }
    }
  },
  /** Decimal digits. */
  DIGITS {
    @Override
    void fill(byte[] value, SplittableRandom numbers) {
      for (int at = 0; at < value.length; at++) {
        value[at] = (byte) ('0' + numbers.nextInt(DIGIT_COUNT));
      }
    }
  },
  /** Zeros alone. */
  ZEROS {
    @Override
    void fill(byte[] value, SplittableRandom numbers) {
      Arrays.fill(value, (byte) 0);
    }
  };

  private static final int RUN = 8;
  private static final int LETTER_COUNT = 26;
  private static final int DIGIT_COUNT = 10;
  private static final byte[][] WORDS =
      Arrays.stream(
              ("a in of to at by on the and row key for get put not with from scan data time file"
                      + " node read write table value store server region column family cluster"
                      + " client memory request latency snapshot operation")
                  .split(" "))
          .map(word -> (word + " ").getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  /** Fills a value. */
  abstract void fill(byte[] value, SplittableRandom numbers);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}

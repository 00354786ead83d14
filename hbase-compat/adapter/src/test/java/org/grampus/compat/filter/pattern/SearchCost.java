package org.grampus.compat.filter.pattern;

import java.nio.charset.Charset;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What Java's search for a pattern takes, in characters read: the same on every machine. Nested
 * quantifiers can read the same few characters for hours, in HBase as well.
 */
final class SearchCost {
  private static final int READS_MAX = 1 << 20;

  private SearchCost() {}

  /** Whether the search of each value reads at most {@link #READS_MAX} characters. */
  static boolean isCheap(Pattern pattern, Charset charset, List<byte[]> values) {
    try {
      for (byte[] value : values) {
        pattern.matcher(new CountedText(new String(value, charset))).find();
      }
      return true;
    } catch (TooManyReadsException e) {
      return false;
    }
  }

  private static final class TooManyReadsException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyReadsException() {
      super(null, null, false, false);
    }
  }

  /** A text that throws after {@link #READS_MAX} characters. */
  private static final class CountedText implements CharSequence {
    private final String text;
    private int reads;

    CountedText(String text) {
      this.text = text;
    }

    @Override
    public char charAt(int index) {
      if (++reads > READS_MAX) {
        throw new TooManyReadsException();
      }
      return text.charAt(index);
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}

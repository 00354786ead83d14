package org.grampus.mapreduce.input;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A range of keys as a range of numbers: behind a prefix that all its keys are taken to share, a
 * byte is a digit. An open end is the number behind all digits, so that no key is beyond it.
 */
final class KeySpan {
  /** Digits that a share is computed from: as many bytes as a double holds. */
  private static final int SHARE_DIGITS = 6;

  /** How finely numbers are cut: parts are equal to one in this many. */
  private static final int STEPS_PER_PART = 64;

  private static final int EXTRA_DIGITS = 8;

  private final KeyRange range;
  private final KeyAlphabet alphabet;
  private final int prefixLength;
  private final int firstDifferent;
  private final double low;
  private final double width;

  /** A span of keys whose first bytes, up to a length, are the same in all that is known of it. */
  KeySpan(KeyRange range, KeyAlphabet alphabet, int prefixLength) {
    this.range = range;
    this.alphabet = alphabet;
    this.prefixLength = prefixLength;
    this.firstDifferent = firstDifferent();
    this.low = fraction(range.start());
    double high = range.end().length == 0 ? 1 : fraction(range.end());
    this.width = high - low;
  }

  private int firstDifferent() {
    int most = prefixLength + Math.max(range.start().length, range.end().length);
    int index = prefixLength;
    while (index < most && alphabet.value(range.start(), index) == highDigit(index)) {
      index++;
    }
    return index;
  }

  private int highDigit(int index) {
    return range.end().length == 0 ? alphabet.size() - 1 : alphabet.value(range.end(), index);
  }

  private double fraction(byte[] key) {
    double fraction = 0;
    double unit = 1;
    for (int i = firstDifferent; i < firstDifferent + SHARE_DIGITS; i++) {
      unit /= alphabet.size();
      if (i < key.length && !alphabet.has(key[i])) {
        return fraction + alphabet.digitsBelow(key[i]) * unit; // between two keys of digits
      }
      fraction += alphabet.value(key, i) * unit;
    }
    return fraction;
  }

  /** The first key, or empty. */
  byte[] start() {
    return range.start();
  }

  /** How far behind the start a key is, from 0 to 1; a key outside is at the nearer end. */
  double share(byte[] key) {
    if (Bytes.compareTo(key, range.start()) <= 0) {
      return 0;
    }
    if (range.end().length > 0 && Bytes.compareTo(key, range.end()) >= 0) {
      return 1;
    }
    int beside = Arrays.compareUnsigned(head(key), head(longer()));
    if (beside != 0) {
      return beside < 0 ? 0 : 1; // without the prefix that all keys were taken to share
    }
    return width <= 0 ? 0 : Math.min(1, Math.max(0, (fraction(key) - low) / width));
  }

  private byte[] head(byte[] key) {
    return Arrays.copyOf(key, Math.min(key.length, prefixLength));
  }

  /** The end that has the prefix. */
  private byte[] longer() {
    return range.start().length >= prefixLength ? range.start() : range.end();
  }

  /**
   * Keys that cut the range into parts of the same width: ascending, within the range, and not its
   * start. They are fewer than asked for where there are not enough keys.
   */
  List<byte[]> cuts(int parts) {
    List<byte[]> cuts = new ArrayList<>();
    BigInteger base = BigInteger.valueOf(alphabet.size());
    BigInteger from = BigInteger.ZERO;
    BigInteger to = range.end().length == 0 ? BigInteger.ONE : BigInteger.ZERO;
    BigInteger wanted = BigInteger.valueOf((long) STEPS_PER_PART * parts);
    int most = Math.max(range.start().length, range.end().length) - prefixLength + EXTRA_DIGITS;
    int digits = 0;
    while (digits < most && to.subtract(from).compareTo(wanted) < 0) {
      int index = prefixLength + digits++;
      from = from.multiply(base).add(BigInteger.valueOf(alphabet.value(range.start(), index)));
      to = to.multiply(base);
      if (range.end().length > 0) {
        to = to.add(BigInteger.valueOf(alphabet.value(range.end(), index)));
      }
    }
    byte[] last = range.start();
    for (int part = 1; part < parts; part++) {
      BigInteger offset =
          to.subtract(from).multiply(BigInteger.valueOf(part)).divide(BigInteger.valueOf(parts));
      byte[] cut = key(from.add(offset), digits);
      if (Bytes.compareTo(cut, last) > 0 && range.contains(cut)) {
        cuts.add(cut);
        last = cut;
      }
    }
    return cuts;
  }

  /** The prefix and a number's digits, without those of value 0 at the end. */
  private byte[] key(BigInteger number, int digits) {
    byte[] spelled = new byte[digits];
    BigInteger base = BigInteger.valueOf(alphabet.size());
    BigInteger rest = number;
    int length = 0;
    for (int i = digits - 1; i >= 0; i--) {
      BigInteger[] divided = rest.divideAndRemainder(base);
      int value = divided[1].intValueExact();
      spelled[i] = alphabet.digit(value);
      length = length == 0 && value != 0 ? i + 1 : length;
      rest = divided[0];
    }
    return Bytes.add(head(longer()), Arrays.copyOf(spelled, length));
  }
}

package org.grampus.mapreduce.input;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The bytes that keys are made of, as far as their table's region boundaries tell. Immutable. */
final class KeyAlphabet {
  /** Any byte. */
  static final KeyAlphabet BYTES = new KeyAlphabet(allBytes());

  /** The alphabets, those with fewer digits first. */
  static final List<KeyAlphabet> ALL =
      List.of(of("0123456789"), of("0123456789abcdef"), of("0123456789ABCDEF"), BYTES);

  private static final int NO_DIGIT = -1;

  private final byte[] digits;
  private final int[] values = new int[1 << Byte.SIZE];

  private KeyAlphabet(byte[] digits) {
    this.digits = digits;
    Arrays.fill(values, NO_DIGIT);
    for (int value = 0; value < digits.length; value++) {
      values[Byte.toUnsignedInt(digits[value])] = value;
    }
  }

  private static KeyAlphabet of(String digits) {
    return new KeyAlphabet(digits.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] allBytes() {
    byte[] all = new byte[1 << Byte.SIZE];
    for (int value = 0; value < all.length; value++) {
      all[value] = (byte) value;
    }
    return all;
  }

  /** How many digits there are. */
  int size() {
    return digits.length;
  }

  /** The digit of a value. */
  byte digit(int value) {
    return digits[value];
  }

  /** Whether a byte is a digit. */
  boolean has(byte character) {
    return values[Byte.toUnsignedInt(character)] != NO_DIGIT;
  }

  /** Whether a key has only digits of this alphabet from an index on. */
  boolean spells(byte[] key, int from) {
    for (int i = from; i < key.length; i++) {
      if (!has(key[i])) {
        return false;
      }
    }
    return true;
  }

  /** The value of the digit at an index; behind the end of the key that of the first digit. */
  int value(byte[] key, int index) {
    return index >= key.length ? 0 : Math.max(0, values[Byte.toUnsignedInt(key[index])]);
  }

  /** How many digits are below a byte that is none. */
  int digitsBelow(byte character) {
    int below = 0;
    for (byte digit : digits) {
      below += Byte.compareUnsigned(digit, character) < 0 ? 1 : 0;
    }
    return below;
  }
}

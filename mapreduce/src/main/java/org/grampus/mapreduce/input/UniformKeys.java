package org.grampus.mapreduce.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The guess that a table's keys are spread evenly over what its region boundaries are made of:
 * numbers in a base, behind a prefix that all boundaries share. A wrong guess makes unequal parts
 * and nothing worse.
 */
final class UniformKeys {
  private final byte[] prefix;
  private final KeyAlphabet alphabet;

  private UniformKeys(byte[] prefix, KeyAlphabet alphabet) {
    this.prefix = prefix;
    this.alphabet = alphabet;
  }

  /** The guess from the ranges of a table's regions. */
  static UniformKeys ofRegions(Collection<KeyRange> regions) {
    List<byte[]> keys = new ArrayList<>();
    for (KeyRange region : regions) {
      for (byte[] key : List.of(region.start(), region.end())) {
        if (key.length > 0) {
          keys.add(key);
        }
      }
    }
    if (keys.isEmpty()) {
      return new UniformKeys(new byte[0], KeyAlphabet.BYTES);
    }
    byte[] prefix = keys.get(0);
    for (byte[] key : keys) {
      prefix = Arrays.copyOf(prefix, common(prefix, key));
    }
    // A key alone is its own prefix, and says at least what its last byte is.
    int length = shortest(keys) == prefix.length ? Math.max(0, prefix.length - 1) : prefix.length;
    prefix = Arrays.copyOf(prefix, length);
    return new UniformKeys(prefix, alphabet(keys, length));
  }

  private static int shortest(List<byte[]> keys) {
    return keys.stream().mapToInt(key -> key.length).min().orElse(0);
  }

  private static KeyAlphabet alphabet(List<byte[]> keys, int from) {
    for (KeyAlphabet candidate : KeyAlphabet.ALL) {
      if (keys.stream().allMatch(key -> candidate.spells(key, from))) {
        return candidate;
      }
    }
    return KeyAlphabet.BYTES;
  }

  private static int common(byte[] a, byte[] b) {
    int mismatch = Arrays.mismatch(a, b);
    return mismatch < 0 ? a.length : mismatch;
  }

  /** A range as numbers. */
  KeySpan span(KeyRange range) {
    int length = prefixLength(range);
    boolean spelled =
        alphabet.spells(range.start(), length) && alphabet.spells(range.end(), length);
    return new KeySpan(range, spelled ? alphabet : KeyAlphabet.BYTES, length);
  }

  private int prefixLength(KeyRange range) {
    if (range.start().length > 0 && range.end().length > 0) {
      return common(range.start(), range.end());
    }
    boolean openStart = range.start().length == 0;
    byte[] bound = openStart ? range.end() : range.start();
    int length = common(prefix, bound) == prefix.length ? prefix.length : 0;
    // Where the bound leaves no room behind the prefix, as 10 does below itself, keys go on before.
    while (length > 0
        && alphabet.has(bound[length - 1])
        && (openStart ? isLowest(bound, length) : isHighest(bound, length))) {
      length--;
    }
    return length;
  }

  private boolean isLowest(byte[] bound, int from) {
    for (int i = from; i < bound.length; i++) {
      if (alphabet.value(bound, i) > 0) {
        return false;
      }
    }
    return true;
  }

  private boolean isHighest(byte[] bound, int at) {
    return alphabet.value(bound, at) == alphabet.size() - 1;
  }
}

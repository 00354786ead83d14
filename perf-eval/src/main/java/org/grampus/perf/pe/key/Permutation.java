package org.grampus.perf.pe.key;

import org.grampus.perf.pe.chance.Chance;

/**
 * The numbers from 0 below a size in an order that looks like chance, each once: a Feistel network
 * over the next even number of bits, walked until it ends below the size (Black and Rogaway,
 * "Ciphers with arbitrary finite domains"). It takes no memory for each number. Immutable.
 */
public final class Permutation {
  private static final int ROUNDS = 6;

  private final long size;
  private final Chance chance;
  private final int halfBits;
  private final long halfMask;

  /**
   * An order.
   *
   * @param size above 0
   */
  public Permutation(long size, Chance chance) {
    if (size <= 0) {
      throw new IllegalArgumentException("a permutation needs a size above 0, not " + size);
    }
    this.size = size;
    this.chance = chance;
    int bits = Long.SIZE - Long.numberOfLeadingZeros(size - 1);
    this.halfBits = Math.max(1, (bits + 1) / 2);
    this.halfMask = (1L << halfBits) - 1;
  }

  /**
   * The number at a place.
   *
   * @param place from 0, below the size
   */
  public long at(long place) {
    if (place < 0 || place >= size) {
      throw new IndexOutOfBoundsException("no place " + place + " in a permutation of " + size);
    }
    long number = encrypted(place);
    // At most four times as many numbers as the size, so few steps. All 64 bits may be in use.
    while (Long.compareUnsigned(number, size) >= 0) {
      number = encrypted(number);
    }
    return number;
  }

  private long encrypted(long number) {
    long left = number >>> halfBits;
    long right = number & halfMask;
    for (int round = 0; round < ROUNDS; round++) {
      long next = left ^ (chance.bits((right << 3) | round) & halfMask);
      left = right;
      right = next;
    }
    return (left << halfBits) | right;
  }
}

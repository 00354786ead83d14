package org.grampus.server.rpc;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tokens of mutations in flight: slot and generation, so that no token repeats while it may still
 * come back. A token is registered before its mutation starts, for the completion can be faster
 * than the call's return. Any thread.
 */
public final class TokenTable {
  private static final int FIRST_SLOTS = 256;
  private static final int GENERATION_SHIFT = 32;
  private static final long SLOT_MASK = 0xffff_ffffL;

  private Completion[] waiting = new Completion[FIRST_SLOTS];
  private int[] generations = new int[FIRST_SLOTS];
  private int[] free = new int[FIRST_SLOTS];
  private int freeCount;

  /** An empty table. */
  public TokenTable() {
    addFree(0);
  }

  /** A token that completes this, never 0. */
  public synchronized long register(Completion completion) {
    if (freeCount == 0) {
      grow();
    }
    int slot = free[--freeCount];
    waiting[slot] = completion;
    return (long) generations[slot] << GENERATION_SHIFT | slot;
  }

  /** Takes a token out; null when it is not in the table (any more). */
  public synchronized Completion take(long token) {
    long slot = token & SLOT_MASK;
    if (slot >= waiting.length || generations[(int) slot] != (int) (token >>> GENERATION_SHIFT)) {
      return null;
    }
    return clear((int) slot);
  }

  /** Takes everything out. */
  synchronized List<Completion> drain() {
    List<Completion> all = new ArrayList<>();
    for (int slot = 0; slot < waiting.length; slot++) {
      if (waiting[slot] != null) {
        all.add(clear(slot));
      }
    }
    return all;
  }

  /** Tokens in flight. */
  public synchronized int size() {
    return waiting.length - freeCount;
  }

  private Completion clear(int slot) {
    Completion completion = waiting[slot];
    waiting[slot] = null;
    generations[slot] = nextGeneration(generations[slot]);
    free[freeCount++] = slot;
    return completion;
  }

  private static int nextGeneration(int generation) {
    return generation == Integer.MAX_VALUE ? 1 : generation + 1;
  }

  private void grow() {
    int old = waiting.length;
    waiting = Arrays.copyOf(waiting, old * 2);
    generations = Arrays.copyOf(generations, old * 2);
    free = Arrays.copyOf(free, old * 2);
    addFree(old);
  }

  private void addFree(int from) {
    for (int slot = waiting.length - 1; slot >= from; slot--) {
      generations[slot] = 1;
      free[freeCount++] = slot;
    }
  }
}

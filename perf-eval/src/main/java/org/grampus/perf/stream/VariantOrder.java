package org.grampus.perf.stream;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order in which variants take turns, shuffled anew for each round. What a turn leaves behind
 * falls into the next ones, as dirty pages and deleted blocks do: in a fixed order, forward or
 * backward, that would always be the same variant's. For one thread.
 */
public final class VariantOrder {
  private final List<Variant> variants;
  private final Random random;

  /** Orders that are the same for the same seed. */
  public VariantOrder(List<Variant> variants, long seed) {
    this.variants = List.copyOf(variants);
    this.random = new Random(seed);
  }

  /** The order of the next round, in which each variant has one turn. */
  public List<Variant> next() {
    List<Variant> order = new ArrayList<>(variants);
    Collections.shuffle(order, random);
    return order;
  }
}

package org.grampus.server.metrics;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Several things of one kind, of which each thread uses the one of its number. Threads of a pool
 * that start together mostly have numbers that follow on each other, so few of them share one. Any
 * thread.
 */
final class Stripes<T> {
  private static final int COUNT = 16; // a power of 2

  private final List<T> stripes;

  Stripes(Supplier<T> one) {
    stripes = Stream.generate(one).limit(COUNT).toList();
  }

  /** That of the calling thread, and of some others. */
  T mine() {
    return stripes.get((int) Thread.currentThread().getId() & (COUNT - 1));
  }

  void forEach(Consumer<T> each) {
    stripes.forEach(each);
  }
}

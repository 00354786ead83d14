package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class VariantOrderTest {
  private static final long SEED = 1;

  private final List<Variant> variants = Variant.all(List.of(1, 4, 32, 256), 4);
  private final VariantOrder order = new VariantOrder(variants, SEED);

  @Test
  void eachVariantHasOneTurnInARound() {
    for (int round = 0; round < 6; round++) {
      List<Variant> next = order.next();

      assertEquals(variants.size(), next.size());
      assertEquals(Set.copyOf(variants), Set.copyOf(next));
    }
  }

  @Test
  void noVariantIsAlwaysBehindTheSameOne() {
    Map<Variant, Set<Variant>> before = new HashMap<>();
    for (int round = 0; round < 6; round++) {
      List<Variant> next = order.next();
      for (int i = 1; i < next.size(); i++) {
        before.computeIfAbsent(next.get(i), variant -> new HashSet<>()).add(next.get(i - 1));
      }
    }

    assertEquals(Set.copyOf(variants), before.keySet());
    before.forEach((variant, others) -> assertTrue(others.size() > 1, variant::toString));
  }

  @Test
  void aSeedGivesTheSameOrdersAgain() {
    VariantOrder again = new VariantOrder(variants, SEED);
    for (int round = 0; round < 6; round++) {
      assertEquals(order.next(), again.next());
    }
  }
}

package org.grampus.server.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheLoanTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  private long used;
  private long nanos = -5;
  private final List<Long> loans = new ArrayList<>();
  private final CacheLoan loan = new CacheLoan(() -> used, () -> nanos);

  private void use(long mb) {
    used = mb * MB;
    loan.usedChanged();
  }

  private void after(int seconds) {
    nanos += seconds * SECOND;
  }

  @Test
  void aLoanFallsToTheHighestUseOfTheLastMinute() {
    loan.setLender(bytes -> loans.add(bytes / MB));
    use(100);
    use(0);
    after(59);
    use(0);
    assertEquals(List.of(104L), loans);
    after(1);
    use(1);
    assertEquals(List.of(104L), loans, "100 MB were used within this minute");
    use(30);
    use(0);
    after(60);
    use(0);
    assertEquals(List.of(104L, 32L), loans);
    after(60);
    use(0);
    assertEquals(List.of(104L, 32L, 0L), loans);
  }

  @Test
  void aUseThatSwingsChangesNothing() {
    loan.setLender(bytes -> loans.add(bytes / MB));
    for (int i = 0; i < 1_000; i++) {
      use(200);
      after(1);
      use(i % 10);
      after(1);
    }
    assertEquals(List.of(200L), loans);
  }

  @Test
  void whatIsUsedWhileTheLenderIsToldIsToldAsWell() {
    loan.setLender(
        bytes -> {
          loans.add(bytes / MB);
          used = Math.max(used, 50 * MB);
        });
    use(10);
    assertEquals(List.of(16L, 56L), loans);
  }
}

package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class WarmUpTest {
  private static final Sizes SIZES = new Sizes(1_000_000, 1, 512);
  private static final Effort EFFORT = new Effort(1, 1, 1_000_000, 2);

  private final List<Long> operations = new ArrayList<>();

  /** Runs of these costs of an operation, in µs; the first of them takes all the time there is. */
  private double take(double... micros) throws Exception {
    return take(EFFORT, micros);
  }

  private double take(Effort effort, double... micros) throws Exception {
    Iterator<Double> costs = Arrays.stream(micros).iterator();
    Row get = Catalogue.named(List.of("get")).get(0);
    return new WarmUp(get, SIZES, effort)
        .take(
            wanted -> {
              operations.add(wanted);
              return Fixture.run("grampus", "get", 0, costs.next())
                  .figures(Map.of(Measurement.SECONDS, 1.0));
            });
  }

  @Test
  void runIsRepeatedWhileItGetsCheaper() throws Exception {
    assertEquals(59, take(100, 80, 60, 59));
    assertEquals(4, operations.size());
  }

  @Test
  void steadyServerIsAskedOnceMore() throws Exception {
    assertEquals(101, take(100, 101));
    assertEquals(2, operations.size());
  }

  @Test
  void repeatsHaveAnEnd() throws Exception {
    assertEquals(10, take(100, 80, 40, 20, 10));
    assertEquals(5, operations.size());
  }

  @Test
  void warmUpOfNamedSecondsIsNotRepeated() throws Exception {
    assertEquals(60, take(EFFORT.warmSeconds(2), 100, 60));
    assertEquals(2, operations.size());
  }
}

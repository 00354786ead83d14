package org.grampus.perf.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ThreadShareTest {
  @Test
  void threadsShareAllOperationsAsEvenlyAsTheyComeOut() {
    List<Long> shares =
        IntStream.range(0, 4).mapToObj(thread -> ThreadShare.of(10, 4, thread)).toList();

    assertEquals(List.of(3L, 3L, 2L, 2L), shares);
  }
}

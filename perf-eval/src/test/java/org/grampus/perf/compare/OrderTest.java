package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class OrderTest {
  private static String fail(Exception failure) throws ToolException, IOException {
    if (failure instanceof IOException io) {
      throw io;
    }
    throw (ToolException) failure;
  }

  @Test
  void inTurnTheSecondBeginsWhenTheFirstHasEnded() throws Exception {
    List<String> steps = new ArrayList<>();
    Order.IN_TURN.run(() -> steps.add("first"), () -> steps.add("second"));
    assertEquals(List.of("first", "second"), steps);
  }

  @Test
  void atOnceBothRun() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Order.Step<String> first =
        () -> {
          Barriers.await(both);
          return "first";
        };
    Order.Step<String> second =
        () -> {
          Barriers.await(both);
          return "second";
        };
    assertEquals(List.of("first", "second"), Order.AT_ONCE.run(first, second));
  }

  @Test
  void atOnceTheFirstThatFailsWaitsForTheSecond() {
    CyclicBarrier begun = new CyclicBarrier(2);
    CountDownLatch failing = new CountDownLatch(1);
    AtomicBoolean ended = new AtomicBoolean();
    IOException failure = new IOException("first");
    Order.Step<String> first =
        () -> {
          Barriers.await(begun);
          failing.countDown();
          return fail(failure);
        };
    Order.Step<String> second =
        () -> {
          Barriers.await(begun);
          failing.await();
          ended.set(true);
          return "second";
        };
    assertSame(failure, assertThrows(IOException.class, () -> Order.AT_ONCE.run(first, second)));
    assertTrue(ended.get());
  }

  @Test
  void atOnceTheFailureOfTheSecondIsThatOfBoth() {
    for (Exception failure : List.of(new IOException("io"), new ToolException("tool"))) {
      assertSame(
          failure,
          assertThrows(
              Exception.class, () -> Order.AT_ONCE.run(() -> "first", () -> fail(failure))));
    }
  }

  @Test
  void atOnceNoFailureIsLost() {
    ToolException first = new ToolException("first");
    IOException second = new IOException("second");
    ToolException thrown =
        assertThrows(
            ToolException.class, () -> Order.AT_ONCE.run(() -> fail(first), () -> fail(second)));
    assertSame(first, thrown);
    assertEquals(List.of(second), List.of(thrown.getSuppressed()));
  }
}

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

final class ScheduleTest {
  private static String fail(Exception failure) throws ToolException, IOException {
    if (failure instanceof IOException io) {
      throw io;
    }
    throw (ToolException) failure;
  }

  @Test
  void inTurnTheSecondBeginsWhenTheFirstHasEnded() throws Exception {
    List<String> steps = new ArrayList<>();
    Schedule.IN_TURN.run(() -> steps.add("first"), () -> steps.add("second"));
    assertEquals(List.of("first", "second"), steps);
  }

  @Test
  void atOnceBothRun() throws Exception {
    CyclicBarrier both = new CyclicBarrier(2);
    Schedule.Step<String> first =
        () -> {
          Barriers.await(both);
          return "first";
        };
    Schedule.Step<String> second =
        () -> {
          Barriers.await(both);
          return "second";
        };
    assertEquals(List.of("first", "second"), Schedule.AT_ONCE.run(first, second));
  }

  @Test
  void atOnceAFailureEndsTheOther() {
    for (Exception failure : List.of(new IOException("io"), new ToolException("tool"))) {
      assertFailureEndsTheOther(failure, true);
      assertFailureEndsTheOther(failure, false);
    }
  }

  private static void assertFailureEndsTheOther(Exception failure, boolean isOfTheFirst) {
    CyclicBarrier begun = new CyclicBarrier(2);
    AtomicBoolean interrupted = new AtomicBoolean();
    Schedule.Step<String> failing =
        () -> {
          Barriers.await(begun);
          return fail(failure);
        };
    Schedule.Step<String> other =
        () -> {
          Barriers.await(begun);
          try {
            new CountDownLatch(1).await();
          } finally {
            interrupted.set(true);
          }
          return "never";
        };
    assertSame(
        failure,
        assertThrows(
            Exception.class,
            () ->
                Schedule.AT_ONCE.run(
                    isOfTheFirst ? failing : other, isOfTheFirst ? other : failing)));
    assertTrue(interrupted.get(), "it ends before the failure is thrown");
  }
}

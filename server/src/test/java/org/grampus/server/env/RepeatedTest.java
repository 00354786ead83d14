package org.grampus.server.env;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RepeatedTest {
  @ParameterizedTest
  @ValueSource(classes = {IllegalStateException.class, StackOverflowError.class})
  void aScheduledTaskRunsAgainWhateverOneRunThrows(Class<? extends Throwable> type)
      throws Exception {
    Throwable thrown = type.getConstructor().newInstance();
    CountDownLatch runs = new CountDownLatch(3);
    ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();
    try {
      var unused =
          executor.scheduleWithFixedDelay(
              Repeated.of(
                  "a test",
                  () -> {
                    runs.countDown();
                    RepeatedTest.<RuntimeException>raise(thrown);
                  }),
              0,
              1,
              TimeUnit.MILLISECONDS);
      assertTrue(runs.await(30, TimeUnit.SECONDS), "it does not run again");
    } finally {
      executor.shutdownNow();
    }
  }

  @SuppressWarnings("unchecked") // a Runnable declares nothing, and an Error needs no declaration
  private static <T extends Throwable> void raise(Throwable thrown) throws T {
    throw (T) thrown;
  }
}

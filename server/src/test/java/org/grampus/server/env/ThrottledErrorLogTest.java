package org.grampus.server.env;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

class ThrottledErrorLogTest {
  private final List<String> said = new ArrayList<>();
  private final Logger log =
      (Logger)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Logger.class},
              (proxy, method, arguments) ->
                  said.add(method.getName() + ": " + arguments[0]) ? null : null);

  @Test
  void anErrorIsSaidAtOnceAndThenOnceAMinute() {
    long minute = TimeUnit.MINUTES.toNanos(1);
    AtomicLong clock = new AtomicLong(Long.MAX_VALUE - minute); // it overflows on the way
    ThrottledErrorLog errors = new ThrottledErrorLog(log, "it was not counted", clock::get);
    for (long step : new long[] {0, 1, minute - 2, 1, minute - 1, 1}) {
      clock.addAndGet(step);
      errors.report(new IllegalStateException("a test"));
    }
    assertEquals(
        List.of(
            "error: it was not counted", "error: it was not counted", "error: it was not counted"),
        said);
  }
}

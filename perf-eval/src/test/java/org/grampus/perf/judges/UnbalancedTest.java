package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Admin;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class UnbalancedTest {
  private final List<Boolean> switched = new ArrayList<>();
  private boolean on;

  /** Has a switch of the balancer and nothing else. */
  private final Admin admin =
      (Admin)
          Proxy.newProxyInstance(
              Admin.class.getClassLoader(),
              new Class<?>[] {Admin.class},
              (proxy, method, arguments) -> {
                assertEquals("balancerSwitch", method.getName());
                boolean before = on;
                on = (Boolean) arguments[0];
                switched.add(on);
                return before;
              });

  private void fail() throws Exception {
    Unbalanced.run(
        admin,
        () -> {
          assertFalse(on);
          throw new ToolException("the count does not end");
        });
  }

  @Test
  void theBalancerIsOnAgainAfterAFailure() {
    on = true;
    assertThrows(ToolException.class, this::fail);
    assertEquals(List.of(false, true), switched);
  }

  @Test
  void aBalancerThatWasOffStaysOff() {
    assertThrows(ToolException.class, this::fail);
    assertEquals(List.of(false, false), switched);
  }
}

package org.grampus.server.service;

import java.util.concurrent.TimeUnit;
import org.grampus.server.env.Env;
import org.grampus.server.rpc.Call;

/** The time that a call which reads much may take. */
final class ReadBudget {
  private static final long MIN_MILLIS = 10;

  private ReadBudget() {}

  /** Half of what the lease or the client's patience leaves, as HBase has it; at least 10 ms. */
  static long millis(Call call, ClientServiceConfig config) {
    long now = Env.nanos();
    long rest =
        call.hasDeadline()
            ? TimeUnit.NANOSECONDS.toMillis(call.deadlineNanos() - now)
            : config.rpcTimeoutMillis() - TimeUnit.NANOSECONDS.toMillis(now - call.receivedNanos());
    return Math.max(
        Math.min(config.scannerLeaseMillis(), Math.max(rest, MIN_MILLIS)) / 2, MIN_MILLIS);
  }
}

package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.grampus.engine.CompletionEntries;
import org.grampus.engine.NativeEngine;
import org.grampus.server.rpc.CompletionSource;

/** The engine's completions, but for those that a test makes itself. */
public final class InjectedCompletions implements CompletionSource {
  /** How long a poll waits for the engine while a test may have made a completion. */
  private static final long POLL_MILLIS = 5;

  private record Entry(long token, int kind) {}

  private final NativeEngine engine;
  private final ConcurrentLinkedQueue<Entry> made = new ConcurrentLinkedQueue<>();
  private final Set<Long> withheld = ConcurrentHashMap.newKeySet();
  private final AtomicLong ownTokens = new AtomicLong(Long.MIN_VALUE);
  private final CompletionEntries polled = new CompletionEntries(64);
  private volatile boolean failed;

  /** Stands in front of an engine's completions. */
  InjectedCompletions(NativeEngine engine) {
    this.engine = engine;
  }

  /** Completes a token; a kind other than 0 is a failure of the log. */
  public void complete(long token, int kind) {
    if (kind != CompletionEntries.DURABLE) {
      failed = true;
    }
    made.add(new Entry(token, kind));
  }

  /** Keeps the engine's completion of a token back. */
  void withhold(long token) {
    withheld.add(token);
  }

  /** A token that is no call's, and whose completion no caller sees. */
  long ownToken() {
    long token = ownTokens.incrementAndGet();
    withheld.add(token);
    return token;
  }

  @Override
  public int pollCompletions(CompletionEntries out, long timeoutMillis) {
    int count = 0;
    for (Entry entry = made.poll(); entry != null; entry = made.poll()) {
      out.set(count++, entry.token, entry.kind);
    }
    int found = engine.pollCompletions(polled, Math.min(timeoutMillis, POLL_MILLIS));
    for (int i = 0; i < found; i++) {
      if (!withheld.remove(polled.token(i))) {
        out.set(count++, polled.token(i), polled.kind(i));
      }
    }
    return found < 0 && count == 0 ? found : count;
  }

  @Override
  public int takeOverflow(long token, ByteBuffer out) {
    return engine.takeOverflow(token, out);
  }

  @Override
  public String logFailure() {
    return failed ? "cannot sync log segment: No space left on device" : engine.logFailure();
  }
}

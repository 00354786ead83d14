package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.grampus.engine.CompletionEntries;
import org.grampus.server.rpc.CompletionSource;

/** Completions that the fake engine, or a test, makes. */
public final class FakeCompletions implements CompletionSource {
  private record Entry(long token, int kind) {}

  private final LinkedBlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
  private final Map<Long, byte[]> overflows = new ConcurrentHashMap<>();

  /** Completes a token. */
  public void complete(long token, int kind) {
    queue.add(new Entry(token, kind));
  }

  void overflow(long token, byte[] output) {
    overflows.put(token, output);
  }

  @Override
  public int pollCompletions(CompletionEntries out, long timeoutMillis) {
    try {
      Entry entry = queue.poll(Math.min(timeoutMillis, 50), TimeUnit.MILLISECONDS);
      if (entry == null) {
        return 0;
      }
      int count = 0;
      while (entry != null && count < out.capacity()) {
        out.set(count, entry.token, entry.kind);
        count++;
        entry = queue.poll();
      }
      return count;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return -1;
    }
  }

  @Override
  public int takeOverflow(long token, ByteBuffer out) {
    byte[] output = overflows.remove(token);
    out.duplicate().put(output);
    return output.length;
  }

  @Override
  public String logFailure() {
    return "cannot sync log segment: No space left on device";
  }
}

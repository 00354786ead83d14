package org.grampus.server.testkit;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.grampus.server.rpc.CompletionSource;

/** Completions that the fake engine, or a test, makes. */
public final class FakeCompletions implements CompletionSource {
  private static final int ENTRY_BYTES = 16;

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
  public int pollCompletions(ByteBuffer out, long timeoutMillis) {
    try {
      Entry entry = queue.poll(Math.min(timeoutMillis, 50), TimeUnit.MILLISECONDS);
      if (entry == null) {
        return 0;
      }
      ByteBuffer target = out.duplicate().order(ByteOrder.LITTLE_ENDIAN);
      int count = 0;
      while (entry != null && (count + 1) * ENTRY_BYTES <= target.capacity()) {
        target.putLong(count * ENTRY_BYTES, entry.token);
        target.putLong(count * ENTRY_BYTES + Long.BYTES, entry.kind);
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
  public int takeOverflow(long token, ByteBuffer out, int offset, int length) {
    byte[] output = overflows.remove(token);
    out.duplicate().clear().position(offset).put(output);
    return output.length;
  }

  @Override
  public String logFailure() {
    return "cannot sync log segment: No space left on device";
  }
}

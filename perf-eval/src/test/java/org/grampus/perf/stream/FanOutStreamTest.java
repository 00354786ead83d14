package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.junit.jupiter.api.Test;

final class FanOutStreamTest {
  private final List<String> calls = new ArrayList<>();
  private final Object pending = new CompletableFuture<Long>();

  private Object called(String method, Object[] arguments) {
    if (method.equals("flush")) {
      calls.add("flush(" + arguments[0] + ")");
      return pending;
    }
    calls.add(method);
    return null;
  }

  private FanOutStream stream(SyncCalls sync) {
    AsyncFSOutput out =
        (AsyncFSOutput)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {AsyncFSOutput.class},
                (proxy, method, arguments) -> called(method.getName(), arguments));
    return new FanOutStream(out, sync);
  }

  private List<String> callsOf(SyncCalls sync) throws IOException {
    try (FanOutStream stream = stream(sync)) {
      assertFalse(stream.append(ByteBuffer.allocateDirect(1)).isDone(), "not acknowledged yet");
    }
    return calls;
  }

  @Test
  void hflushLeavesItInMemory() throws IOException {
    assertEquals(List.of("write", "flush(false)", "close"), callsOf(SyncCalls.HFLUSH));
  }

  @Test
  void hsyncIsOneCallThatReachesTheMedia() throws IOException {
    assertEquals(List.of("write", "flush(true)", "close"), callsOf(SyncCalls.HSYNC));
  }
}

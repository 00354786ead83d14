package org.grampus.perf.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.grampus.engine.AppendStream;
import org.junit.jupiter.api.Test;

final class PipelineStreamTest {
  private static List<String> calls(SyncCalls sync) throws IOException {
    List<String> calls = new ArrayList<>();
    AppendStream out =
        new AppendStream() {
          @Override
          public void write(ByteBuffer bytes) {
            calls.add("write");
          }

          @Override
          public void flush() {
            calls.add("flush");
          }

          @Override
          public void sync() {
            calls.add("sync");
          }

          @Override
          public void close() {
            calls.add("close");
          }

          @Override
          public void abandon() {
            calls.add("abandon");
          }
        };
    try (PipelineStream stream = new PipelineStream(out, sync)) {
      assertTrue(stream.append(ByteBuffer.allocateDirect(1)).isDone());
    }
    return calls;
  }

  @Test
  void hflushIsNotSynced() throws IOException {
    assertEquals(List.of("write", "flush", "close"), calls(SyncCalls.HFLUSH));
  }

  @Test
  void aGroupIsFlushedBeforeItIsSynced() throws IOException {
    assertEquals(List.of("write", "flush", "sync", "close"), calls(SyncCalls.HFLUSH_HSYNC));
  }

  @Test
  void hsyncAloneIsNotFlushedBefore() throws IOException {
    assertEquals(List.of("write", "sync", "close"), calls(SyncCalls.HSYNC));
  }
}

package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.grampus.engine.AppendStream;

/**
 * The server's own stream over DFSOutputStream, called as its engine calls it: the thread that has
 * written a group waits for it.
 */
record PipelineStream(AppendStream out, SyncCalls sync) implements LogStream {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  @Override
  public CompletableFuture<?> append(ByteBuffer group) throws IOException {
    out.write(group);
    if (sync != SyncCalls.HSYNC) {
      out.flush();
    }
    if (sync != SyncCalls.HFLUSH) {
      out.sync();
    }
    return DONE;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}

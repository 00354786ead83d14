package org.grampus.perf.stream;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;

/** The stream of HBase's own log: a group leaves at once, and the next one need not wait for it. */
record FanOutStream(AsyncFSOutput out, SyncCalls sync) implements LogStream {
  @Override
  public CompletableFuture<?> append(ByteBuffer group) {
    out.write(group);
    return out.flush(sync != SyncCalls.HFLUSH);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}

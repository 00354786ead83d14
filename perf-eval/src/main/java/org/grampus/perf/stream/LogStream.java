package org.grampus.perf.stream;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** The file of a log. For one thread. */
interface LogStream extends Closeable {
  /**
   * Takes a group.
   *
   * @param group a direct buffer, which is free again when this returns
   * @return done once the group may be acknowledged
   */
  CompletableFuture<?> append(ByteBuffer group) throws IOException;
}

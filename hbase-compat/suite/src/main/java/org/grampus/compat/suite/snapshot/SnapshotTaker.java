package org.grampus.compat.suite.snapshot;

import java.io.IOException;

/** Takes snapshots as a client does. One thread. */
interface SnapshotTaker extends AutoCloseable {
  /** Returns when the snapshot is complete; fails with what the client has thrown. */
  void take(String snapshot) throws IOException;

  @Override
  void close() throws IOException;
}

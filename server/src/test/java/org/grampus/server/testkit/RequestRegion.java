package org.grampus.server.testkit;

import org.grampus.engine.EngineRegion;

/** An engine region that serves requests and knows nothing of administration. */
public abstract class RequestRegion implements EngineRegion {
  @Override
  public String stats() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String flush() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String flushAndCompact() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String snapshotFiles(boolean flush) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void compact(String requestJson) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long clearCache() {
    throw new UnsupportedOperationException();
  }

  @Override
  public byte[] splitPoint() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close(boolean abort) {
    throw new UnsupportedOperationException();
  }
}

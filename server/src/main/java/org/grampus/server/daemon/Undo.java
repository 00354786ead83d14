package org.grampus.server.daemon;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a start that fails must close again: the last part first. One thread. */
final class Undo {
  private static final Logger LOG = LoggerFactory.getLogger(Undo.class);

  private final Deque<Part> parts = new ArrayDeque<>();

  private record Part(String name, AutoCloseable close) {}

  /** Adds a part that has begun; returns it. */
  <T extends AutoCloseable> T add(String name, T part) {
    parts.push(new Part(name, part));
    return part;
  }

  /** Closes all parts. One that cannot be closed is logged: what stopped the start is the error. */
  void run() {
    while (!parts.isEmpty()) {
      Part part = parts.pop();
      try {
        part.close.close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        LOG.warn("closing failed: {}", part.name, e);
      }
    }
  }
}

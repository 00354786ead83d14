package org.grampus.perf.pe.client;

/** Takes the lines that a client says while it works. For any thread. */
@FunctionalInterface
public interface Status {
  /** Takes a line. */
  void say(String line);
}

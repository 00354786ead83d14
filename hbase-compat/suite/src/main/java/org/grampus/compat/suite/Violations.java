package org.grampus.compat.suite.kill;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a server did that it must not do. Any thread. */
final class Violations {
  private final List<String> found = new CopyOnWriteArrayList<>();

  void add(String what) {
    System.err.println("VIOLATION " + what);
    found.add(what);
  }

  int count() {
    return found.size();
  }
}

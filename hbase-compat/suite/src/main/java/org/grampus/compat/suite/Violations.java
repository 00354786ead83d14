package org.grampus.compat.suite;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a server did that it must not do. Any thread. */
public final class Violations {
  private final List<String> found = new CopyOnWriteArrayList<>();

  /** Says it and counts it. */
  public void add(String what) {
    System.err.println("VIOLATION " + what);
    found.add(what);
  }

  /** How many there were. */
  public int count() {
    return found.size();
  }
}

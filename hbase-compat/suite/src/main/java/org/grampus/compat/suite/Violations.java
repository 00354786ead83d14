package org.grampus.compat.suite;

import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a server did that it must not do. Any thread. */
public final class Violations {
  private final List<String> found = new CopyOnWriteArrayList<>();
  private final PrintStream out = System.err; // of this moment: runs send what clients print away

  /** Says it and counts it. */
  public void add(String what) {
    out.println("VIOLATION " + what);
    found.add(what);
  }

  /** How many there were. */
  public int count() {
    return found.size();
  }
}

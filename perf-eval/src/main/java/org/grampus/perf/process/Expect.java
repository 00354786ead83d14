package org.grampus.perf.process;

import org.grampus.perf.ToolException;

/** What must be so of a program's result. */
public final class Expect {
  private Expect() {}

  /**
   * Compares.
   *
   * @throws ToolException when they differ
   */
  public static void equal(String what, Object expected, Object found) throws ToolException {
    if (!expected.equals(found)) {
      throw new ToolException(what + ": expected " + expected + ", found " + found);
    }
  }

  /**
   * Looks for a text.
   *
   * @throws ToolException when it is not there
   */
  public static void within(String what, String wanted, String text) throws ToolException {
    if (!text.contains(wanted)) {
      throw new ToolException(what + " does not say \"" + wanted + "\"" + Tail.of(text));
    }
  }
}

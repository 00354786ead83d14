package org.grampus.compat.suite.kill;

import java.util.ArrayList;
import java.util.List;

/**
 * What one row may hold: the last acknowledged state, or one of the later attempts whose outcome is
 * unknown. Versions are the cells' timestamps and only grow, so an acknowledged write ends every
 * doubt before it. Used by its writer alone until the writers have stopped.
 */
final class KeyState {
  /** A row that was deleted, or never written, at a version. */
  static final long ABSENT = 0;

  private long acknowledged = ABSENT;
  private final List<Long> doubtful = new ArrayList<>();

  /** Notes an acknowledged write of a version. */
  void written(long version) {
    acknowledge(version);
  }

  /** Notes an acknowledged delete. */
  void deleted() {
    acknowledge(ABSENT);
  }

  /**
   * Notes an attempt with an unknown outcome: the version if it was a write, {@link #ABSENT} if it
   * was a delete.
   */
  void doubt(long version) {
    doubtful.add(version);
  }

  private void acknowledge(long version) {
    acknowledged = version;
    doubtful.clear();
  }

  /** True when a row may hold this version, or may be missing for {@link #ABSENT}. */
  boolean allows(long version) {
    return version == acknowledged || doubtful.contains(version);
  }

  @Override
  public String toString() {
    return "acknowledged " + acknowledged + ", in doubt " + doubtful;
  }
}

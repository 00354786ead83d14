package org.grampus.compat.suite.hostile;

/** One way to harm a server. It ends by itself when its time is over, and closes what it opened. */
interface Attack {
  /** A short name. */
  String name();

  /** Makes what will be sent, before the attack is measured. */
  default void prepare(Victim victim) throws Exception {}

  /** The replies that an attack needs to count as one. */
  default long repliesMin() {
    return 0;
  }

  /**
   * Attacks until the victim's time is over, and as much as it needs to count as an attack. The
   * server may answer or end connections as it likes.
   */
  void run(Victim victim) throws Exception;
}

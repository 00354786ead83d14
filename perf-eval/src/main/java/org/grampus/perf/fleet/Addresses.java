package org.grampus.perf.fleet;

/** Loopback addresses of a fleet: a server's name is its host and port, and names must differ. */
final class Addresses {
  /** As many as the second half of an address numbers, but for its ends. */
  static final int MOST = 60_000;

  private static final int PER_NET = 250;

  private Addresses() {}

  /**
   * The address of a server.
   *
   * @param number from 0 to {@link #MOST}
   */
  static String of(int number) {
    return "127.1." + number / PER_NET + "." + (1 + number % PER_NET);
  }
}

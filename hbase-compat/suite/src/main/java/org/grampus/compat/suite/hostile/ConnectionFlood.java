package org.grampus.compat.suite.hostile;

/** As many connections as the server takes, some of which say hello. */
final class ConnectionFlood implements Attack {
  private static final int ROUND = 200;
  private static final int MAX = 6_000;

  @Override
  public String name() {
    return "connection flood";
  }

  @Override
  public void run(Victim victim) throws Exception {
    try (Connections connections = new Connections()) {
      for (int opened = 0; opened < MAX && !victim.isOver(); opened += ROUND) {
        int address = 1 + opened / 3_000;
        connections.open(ROUND / 2, () -> victim.open(address));
        connections.open(ROUND / 2, () -> victim.connect(address));
        victim.pause();
      }
      while (!victim.isOver()) {
        Thread.sleep(50);
      }
    }
  }
}

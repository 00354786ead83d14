package org.grampus.compat.suite.hostile;

/** Requests of 200 MiB that come but for their last bytes, held open. */
final class PartialFrames implements Attack {
  private static final int FRAME_BYTES = 200 << 20;
  private static final int CONNECTIONS = 12;
  private static final int SENT_BYTES = 40 << 20;
  private static final int STEP_BYTES = 1 << 20;

  @Override
  public String name() {
    return "partial frames";
  }

  @Override
  public void run(Victim victim) throws Exception {
    byte[] zeros = new byte[STEP_BYTES];
    try (Connections connections = new Connections()) {
      int[] address = {0};
      connections.open(CONNECTIONS, () -> victim.connect(1 + address[0]++ / 4));
      Thread[] senders = new Thread[1];
      senders[0] =
          new Thread(
              () ->
                  connections.each(
                      wire -> {
                        wire.number(FRAME_BYTES);
                        for (int sent = 0; sent < SENT_BYTES && !victim.isOver(); ) {
                          wire.bytes(zeros, STEP_BYTES);
                          wire.flush();
                          sent += STEP_BYTES;
                        }
                      }),
              "partial-frames");
      senders[0].setDaemon(true);
      senders[0].start(); // a server that does not read lets it wait
      while (!victim.isOver()) {
        Thread.sleep(50);
      }
    }
  }
}

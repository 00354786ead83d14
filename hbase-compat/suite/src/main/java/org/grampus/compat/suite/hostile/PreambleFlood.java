package org.grampus.compat.suite.hostile;

import java.io.IOException;

/** Questions that may come before the preamble, without end and unread answers. */
final class PreambleFlood implements Attack {
  private static final int QUESTIONS = 200_000;
  private static final int CONNECTIONS = 8;

  @Override
  public String name() {
    return "preamble flood";
  }

  @Override
  public void run(Victim victim) throws Exception {
    byte[] questions = "Securi".repeat(1000).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    while (!victim.isOver()) {
      for (int i = 0; i < CONNECTIONS && !victim.isOver(); i++) {
        try (Wire wire = victim.open(1)) {
          for (int asked = 0; asked < QUESTIONS && !victim.isOver(); asked += 1000) {
            wire.bytes(questions, questions.length);
            wire.flush();
            victim.pause();
          }
        } catch (IOException e) {
          Thread.sleep(10); // the server has had enough
        }
      }
    }
  }
}

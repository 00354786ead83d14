package org.grampus.compat.suite.hostile;

import java.util.concurrent.atomic.LongAdder;

/**
 * What the attackers have moved, so that an attack that came to nothing is not taken for one that
 * did no harm.
 *
 * @param connections that were opened
 * @param sent bytes
 * @param received bytes of replies
 * @param replies number of them
 */
record Traffic(long connections, long sent, long received, long replies) {
  static final LongAdder CONNECTIONS = new LongAdder();
  static final LongAdder SENT = new LongAdder();
  static final LongAdder RECEIVED = new LongAdder();
  static final LongAdder REPLIES = new LongAdder();

  static Traffic now() {
    return new Traffic(CONNECTIONS.sum(), SENT.sum(), RECEIVED.sum(), REPLIES.sum());
  }

  Traffic since(Traffic earlier) {
    return new Traffic(
        connections - earlier.connections,
        sent - earlier.sent,
        received - earlier.received,
        replies - earlier.replies);
  }

  /** The numbers in one line. */
  String line() {
    return connections + " " + sent + " " + received + " " + replies;
  }

  /** Reads {@link #line}. */
  static Traffic of(String line) {
    String[] numbers = line.split(" ", -1);
    return new Traffic(
        Long.parseLong(numbers[0]),
        Long.parseLong(numbers[1]),
        Long.parseLong(numbers[2]),
        Long.parseLong(numbers[3]));
  }

  @Override
  public String toString() {
    return String.format(
        "%d connections, %d MB out, %d MB in, %d replies",
        connections, sent >> 20, received >> 20, replies);
  }
}

package org.grampus.compat.suite.hostile;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The connections of one attack, closed with it. Any thread may act on them. */
final class Connections implements AutoCloseable {
  private final List<Wire> all = new CopyOnWriteArrayList<>();

  /** Opens one. */
  interface Opening {
    Wire open() throws IOException;
  }

  /** Acts on one; an exception is the server's way to end it. */
  interface Action {
    void on(Wire wire) throws IOException;
  }

  /** Opens up to {@code count} more; fewer when the server takes no more. */
  void open(int count, Opening opening) {
    for (int i = 0; i < count; i++) {
      try {
        all.add(opening.open());
      } catch (IOException e) {
        return;
      }
    }
  }

  /** Acts on each, and drops those that the server has ended. */
  void each(Action action) {
    List<Wire> ended = new ArrayList<>();
    for (Wire wire : all) {
      try {
        action.on(wire);
      } catch (IOException e) {
        wire.close();
        ended.add(wire);
      }
    }
    all.removeAll(ended);
  }

  @Override
  public void close() {
    all.forEach(Wire::close);
  }
}

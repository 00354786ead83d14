package org.grampus.server.info;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.grampus.engine.EngineEvent;
import org.grampus.server.env.Env;

/**
 * What the engine said lately of flushes, compactions and stalls, with its reasons: the latest 200
 * events, of 1 KiB of text each at most. Any thread.
 */
public final class RecentEvents {
  private static final int EVENTS_MAX = 200;
  private static final int TEXT_MAX = 1 << 10;

  private final Deque<Event> events = new ArrayDeque<>();

  /** An event, when it was heard of, in milliseconds since the epoch. */
  public record Event(long millis, EngineEvent.Level level, String topic, String text) {}

  /** Adds an event; the oldest goes. */
  public void add(EngineEvent event) {
    String text = event.text();
    Event kept =
        new Event(
            Env.millis(),
            event.level(),
            event.topic(),
            text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX - 1) + "…");
    synchronized (events) {
      events.addFirst(kept);
      if (events.size() > EVENTS_MAX) {
        events.removeLast();
      }
    }
  }

  /** The latest first. */
  public List<Event> all() {
    synchronized (events) {
      return List.copyOf(events);
    }
  }
}

package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class TurnsTest {
  private final Turns<String> turns = new Turns<>();

  @Test
  void addressesTakeTurnsAndConnectionsAmongThemselves() {
    turns.add("a", "a1", "a1 first");
    turns.add("a", "a1", "a1 second");
    turns.add("a", "a2", "a2 first");
    turns.add("a", "a1", "a1 third");
    turns.add("b", "b1", "b1 first");
    turns.add("b", "b1", "b1 second");
    assertEquals(6, turns.size());
    assertEquals(
        List.of("a1 first", "b1 first", "a2 first", "b1 second", "a1 second", "a1 third"),
        turns.drain());
    assertEquals(0, turns.size());
  }

  @Test
  void whoComesLaterWaitsForOneTaskOfEachOther() {
    for (int i = 0; i < 100; i++) {
      turns.add("a", "a" + i % 10, "flood");
    }
    assertEquals("flood", turns.poll());
    turns.add("b", "b1", "one");
    assertEquals("flood", turns.poll());
    assertEquals("one", turns.poll());
  }

  @Test
  void whatIsEmptyIsForgotten() {
    assertNull(turns.poll());
    turns.add("a", "a1", "task");
    assertTrue(turns.has("a"));
    assertFalse(turns.has("b"));
    assertEquals("task", turns.poll());
    assertFalse(turns.has("a"));
    turns.add("a", "a1", "again");
    assertEquals("again", turns.poll());
    assertNull(turns.poll());
  }
}

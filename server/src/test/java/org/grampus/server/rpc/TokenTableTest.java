package org.grampus.server.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TokenTableTest {
  private final TokenTable tokens = new TokenTable();

  private static final class Nothing implements Completion {
    @Override
    public EventLoop loop() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void durable() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void lost(Throwable error) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void tokensComeBackOnceAndAreNotRepeated() {
    Completion first = new Nothing();
    long token = tokens.register(first);
    assertNotEquals(0, token);
    assertSame(first, tokens.take(token));
    assertNull(tokens.take(token));
    long again = tokens.register(first);
    assertNotEquals(token, again);
    assertNull(tokens.take(token), "an old token does not take the new one");
    assertEquals(1, tokens.size());
  }

  @Test
  void tableGrows() {
    List<Long> all = new ArrayList<>();
    Set<Long> distinct = new HashSet<>();
    for (int i = 0; i < 5000; i++) {
      long token = tokens.register(new Nothing());
      all.add(token);
      assertTrue(distinct.add(token));
    }
    assertEquals(5000, tokens.size());
    assertNull(tokens.take(-1));
    all.forEach(token -> assertTrue(tokens.take(token) != null));
    assertEquals(0, tokens.size());
    assertEquals(0, tokens.drain().size());
  }
}

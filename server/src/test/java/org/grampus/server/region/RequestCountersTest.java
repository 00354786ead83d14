package org.grampus.server.region;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.grampus.server.region.RequestCounters.Kind;
import org.junit.jupiter.api.Test;

class RequestCountersTest {
  private static final int THREADS = 40;
  private static final int TIMES = 1_000;

  private final RequestCounters region = new RequestCounters();

  @Test
  void eachCounterIsItsOwn() {
    region.read(1);
    region.write(2);
    region.filtered(3);
    int operations = 10;
    for (Kind kind : Kind.values()) {
      region.count(kind, operations++);
    }
    assertEquals(1, region.reads());
    assertEquals(2, region.writes());
    assertEquals(3, region.filteredReads());
    int expected = 10;
    for (Kind kind : Kind.values()) {
      assertEquals(expected++, region.counted(kind), kind.toString());
    }
  }

  @Test
  void aServerCountsWhatIsCountedFromThenOn() {
    RequestCounters server = new RequestCounters();
    region.read(5);
    region.countInto(server);
    region.read(2);
    region.count(Kind.GET);
    assertEquals(7, region.reads());
    assertEquals(2, server.reads());
    assertEquals(1, server.counted(Kind.GET));
  }

  @Test
  void noThreadsCountIsLost() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Thread thread =
          new Thread(
              () -> {
                for (int time = 0; time < TIMES; time++) {
                  region.write(1);
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals((long) THREADS * TIMES, region.writes());
  }
}

package org.grampus.server.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.grampus.server.testkit.CapturedLog;
import org.junit.jupiter.api.Test;

/** The fence by a clock that the test moves; its own thread is not started. */
class SessionFenceTest {
  private static final int SESSION_MILLIS = 90_000;

  private final AtomicLong clock = new AtomicLong(5);
  private final ArrayDeque<Runnable> answers = new ArrayDeque<>();
  private final SessionFence.Session session =
      new SessionFence.Session() {
        @Override
        public void ask(Runnable answered) throws IOException {
          if (refuses) {
            throw new IOException("not connected");
          }
          answers.add(answered);
        }

        @Override
        public int timeoutMillis() {
          return SESSION_MILLIS;
        }
      };
  private final SessionFence fence = new SessionFence(session, clock::get);
  private boolean refuses;

  private void pass(long millis) {
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  private void contact() {
    fence.contact();
    answers.remove().run();
  }

  @Test
  void isOpenForTwoThirdsOfTheSessionAfterAContact() {
    assertFalse(fence.isOpen(), "nothing is known yet");
    contact();
    pass(SESSION_MILLIS / 3 * 2 - 1);
    assertTrue(fence.isOpen());
    pass(1);
    assertFalse(fence.isOpen());
    contact();
    assertTrue(fence.isOpen());
  }

  @Test
  void aContactCountsFromItsQuestion() {
    fence.contact();
    pass(SESSION_MILLIS);
    answers.remove().run();
    assertFalse(fence.isOpen(), "the answer is of before the pause");
  }

  @Test
  void aLateAnswerDoesNotTakeANewerOneBack() {
    fence.contact();
    pass(SESSION_MILLIS / 2);
    fence.contact();
    answers.removeLast().run();
    answers.removeLast().run();
    pass(SESSION_MILLIS / 2);
    assertTrue(fence.isOpen());
  }

  @Test
  void aLostConnectionClosesItAndSaysSoOnce() {
    contact();
    contact();
    try (CapturedLog log = CapturedLog.of(SessionFence.class.getName())) {
      refuses = true;
      for (int i = 0; i < 10; i++) {
        pass(SESSION_MILLIS / 10);
        fence.contact();
      }
      assertFalse(fence.isOpen());
      assertEquals(1, log.lines().size(), log.lines()::toString);
      refuses = false;
      contact();
      fence.contact();
      assertTrue(fence.isOpen());
      assertEquals(2, log.lines().size(), log.lines()::toString);
    }
  }
}

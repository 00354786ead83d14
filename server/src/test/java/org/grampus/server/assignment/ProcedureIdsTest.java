package org.grampus.server.assignment;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class ProcedureIdsTest {
  private static final long ID = 7;

  /** Runs something before it notes an id, which is between the two questions in one order. */
  private static final class HookedIds extends ConcurrentHashMap<Long, Boolean> {
    private static final long serialVersionUID = 1;

    transient Runnable before = () -> {};

    @Override
    public Boolean putIfAbsent(Long id, Boolean taken) {
      before.run();
      return super.putIfAbsent(id, taken);
    }
  }

  @Test
  void anOrderRunsOnceWhileItRunsAndAfterwards() {
    ProcedureIds ids = new ProcedureIds();
    assertTrue(ids.take(ID));
    assertFalse(ids.take(ID));
    ids.end(ID);
    assertFalse(ids.take(ID));
    assertFalse(ids.take(ID), "a refusal changes nothing");
  }

  @Test
  void anOrderThatCouldNotBeginIsTakenAgain() {
    ProcedureIds ids = new ProcedureIds();
    assertTrue(ids.take(ID));
    ids.giveBack(ID);
    assertTrue(ids.take(ID));
  }

  @Test
  void whatIsNoProceduresRunsAnyNumberOfTimes() {
    ProcedureIds ids = new ProcedureIds();
    assertTrue(ids.take(ProcedureIds.NONE));
    ids.end(ProcedureIds.NONE);
    assertTrue(ids.take(ProcedureIds.NONE));
  }

  /** The handler of the repeated order stands still between its two questions. */
  @Test
  void anOrderThatIsRepeatedWhileTheFirstOneEndsDoesNotRunAgain() {
    HookedIds taken = new HookedIds();
    ProcedureIds ids = new ProcedureIds(taken);
    assertTrue(ids.take(ID));
    taken.before = () -> ids.end(ID);
    assertFalse(ids.take(ID));
    taken.before = () -> {};
    assertFalse(ids.take(ID));
  }
}

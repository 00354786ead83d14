package org.grampus.compat.suite.history;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  private static final String OUT_OF_TOUCH = "This server has lost touch with ZooKeeper";

  @Test
  void aRefusedWriteWasNotDone() {
    assertTrue(Failures.isNotDone(new NotServingRegionException(OUT_OF_TOUCH)));
    assertTrue(Failures.isNotDone(new IOException(new NotServingRegionException(OUT_OF_TOUCH))));
  }

  @Test
  void aWriteThatWasMadeBehindTheFenceIsInDoubt() {
    NotServingRegionException made =
        new NotServingRegionException(OUT_OF_TOUCH + "; whether the write is kept is not known");
    assertFalse(Failures.isNotDone(made));
    assertFalse(Failures.isNotDone(new IOException("call failed", made)));
  }

  @Test
  void anythingElseIsInDoubt() {
    assertFalse(Failures.isNotDone(new IOException("connection reset")));
    assertFalse(Failures.isNotDone(new IOException((String) null)));
  }
}

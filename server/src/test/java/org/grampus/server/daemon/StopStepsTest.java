package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StopStepsTest {
  private final StopSteps steps = new StopSteps();
  private final List<String> ran = new ArrayList<>();

  private void fail(String part) throws IOException {
    ran.add(part);
    throw new IOException("disk full");
  }

  @Test
  void aStopThatLeavesEditsInTheLogFailsAfterAllItsSteps() {
    steps.flush("regions", () -> fail("regions"));
    steps.flush("engine", () -> ran.add("engine"));
    steps.close("files", () -> ran.add("files"));
    IOException e = assertThrows(IOException.class, steps::end);
    assertTrue(e.getMessage().startsWith("not closed in order: regions;"), e.getMessage());
    assertEquals(List.of("regions", "engine", "files"), ran);
  }

  @Test
  void whatHoldsNoDataMayFail() throws IOException {
    steps.run("page", () -> fail("page"));
    steps.close("nothing", null);
    steps.flush("regions", () -> ran.add("regions"));
    steps.end();
    assertEquals(List.of("page", "regions"), ran);
  }

  @Test
  void anInterruptedCloseOfRegionsIsNoneInOrder() {
    steps.flush(
        "regions",
        () -> {
          throw new InterruptedException();
        });
    assertTrue(Thread.interrupted(), "the interrupt is kept");
    assertThrows(IOException.class, steps::end);
    assertFalse(Thread.currentThread().isInterrupted());
  }
}

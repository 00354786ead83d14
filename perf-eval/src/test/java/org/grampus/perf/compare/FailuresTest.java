package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class FailuresTest {
  private final List<String> notes = new ArrayList<>();
  private final Failures failures = new Failures(notes::add);

  private void keepPeak() throws IOException, InterruptedException {
    failures.keep(
        () -> {
          throw new ToolException("too much memory");
        });
  }

  @Test
  void aFailureIsSaidAtOnceAndEndsTheComparisonAtItsEnd() throws Exception {
    keepPeak();
    failures.keep(() -> notes.add("the other server stops"));
    failures.add("goals that are missed: get");

    assertEquals(
        List.of(
            "failed: too much memory",
            "the other server stops",
            "failed: goals that are missed: get"),
        notes);
    assertEquals(
        "too much memory\ngoals that are missed: get",
        assertThrows(ToolException.class, failures::require).getMessage());
  }

  @Test
  void withoutOneItEndsWell() throws Exception {
    failures.keep(() -> notes.add("fine"));

    assertDoesNotThrow(failures::require);
    assertEquals(List.of(), failures.sentences());
  }

  @Test
  void whatIsNoFindingEndsItAtOnce() {
    assertThrows(
        IOException.class,
        () ->
            failures.keep(
                () -> {
                  throw new IOException("the disk is full");
                }));
  }
}

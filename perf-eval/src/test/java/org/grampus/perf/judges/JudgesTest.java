package org.grampus.perf.judges;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Set;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class JudgesTest {
  @Test
  void areNamedByTheBeginningsOfTheirNames() throws Exception {
    Judges judges = new Judges(200_000);
    assertEquals(Set.of("big-linked-list"), judges.named(List.of("big")).keySet());
    assertEquals(Set.of("canary", "hbck"), judges.named(List.of("canary", "hbck")).keySet());
    assertEquals(9, judges.named(List.of()).size());
  }

  @Test
  void anUnknownNameIsRefused() {
    assertThrows(ToolException.class, () -> new Judges(1).named(List.of("jury")));
  }
}

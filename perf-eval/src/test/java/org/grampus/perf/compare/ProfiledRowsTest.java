package org.grampus.perf.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.grampus.perf.ToolException;
import org.junit.jupiter.api.Test;

final class ProfiledRowsTest {
  private static List<String> named(String... names) throws ToolException {
    return ProfiledRows.named(List.of(names)).stream().map(Row::name).toList();
  }

  private static String refusal(String name) {
    return assertThrows(ToolException.class, () -> named(name)).getMessage();
  }

  @Test
  void rowsComeWithoutTheReferenceRowsOfTheirGoals() throws ToolException {
    assertEquals(List.of("put", "get"), named("get", "randomWrite"));
    assertEquals(List.of("flat-regions-1000"), named("flat-regions-1000"));
  }

  @Test
  void tableThatTakesLongToLoadComesByItsNameAlone() throws ToolException {
    assertEquals(
        List.of(
            "flat-rows-1",
            "flat-connections-1",
            "flat-connections-50",
            "flat-connections-500",
            "flat-regions-100",
            "flat-regions-1000",
            "flat-rows-10"),
        named("flat"));
    assertEquals(List.of("flat-rows-100"), named("flat-rows-100"));
  }

  @Test
  void rowWithoutAServerIsRefused() {
    assertEquals("echo cannot be profiled: it is measured without a server", refusal("echo"));
  }

  @Test
  void rowThatWantsAServerOfItsOwnIsRefused() {
    String reason = " cannot be profiled: it wants a server of its own, with less memory than data";

    assertEquals("overload-4" + reason, refusal("overload-4"));
    assertEquals("overload-1" + reason, refusal("overload"));
  }
}

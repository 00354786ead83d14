package org.grampus.perf.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.ClientProgram;
import org.junit.jupiter.api.Test;

final class SteadyGetsTest {
  private static String refusal(Map<String, String> environment) {
    return assertThrows(ToolException.class, () -> SteadyGets.server(environment)).getMessage();
  }

  @Test
  void serverIsTheProcessThatTheEnvironmentNames() throws ToolException {
    assertEquals(4711, SteadyGets.server(Map.of(ClientProgram.SERVER_PID, "4711")));
  }

  @Test
  void environmentWithoutAServerIsRefusedByName() {
    assertEquals("GRAMPUS_SERVER_PID has to name the server's process, not ''", refusal(Map.of()));
    assertEquals(
        "GRAMPUS_SERVER_PID has to name the server's process, not 'get'",
        refusal(Map.of(ClientProgram.SERVER_PID, "get")));
  }
}

package org.grampus.server.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

class RestartCommandTest {
  private static final ServerName SERVER = ServerName.valueOf("rs1.example.org", 16020, 7);

  @Test
  void theServerStandsInItsWords() {
    RestartCommand command = new RestartCommand(List.of("ssh", "{host}", "restart@{port}", "a b"));
    assertEquals(List.of("ssh", "rs1.example.org", "restart@16020", "a b"), command.of(SERVER));
  }

  @Test
  void itsFailureIsAnError() throws Exception {
    new RestartCommand(List.of("true")).run(SERVER);
    RestartCommand failing = new RestartCommand(List.of("sh", "-c", "exit 3", "{port}"));
    IOException e = assertThrows(IOException.class, () -> failing.run(SERVER));
    assertEquals("sh -c exit 3 16020 ended with exit code 3", e.getMessage());
    assertThrows(IOException.class, () -> new RestartCommand(List.of("/no/such")).run(SERVER));
  }
}

package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import org.junit.jupiter.api.Test;

final class InfoPagesTest {
  @Test
  void pageThatIsThereComesAndAnotherIsAnError() throws Exception {
    try (PageServer server = new PageServer()) {
      InfoPages pages = server.pages();

      assertEquals(PageServer.TEXT, pages.get(InfoPages.PROMETHEUS));
      assertThrows(IOException.class, () -> pages.get("/nothing"));
    }
  }
}

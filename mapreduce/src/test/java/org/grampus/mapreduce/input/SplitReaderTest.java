package org.grampus.mapreduce.input;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SplitReaderTest {
  @Test
  void beforeThereIsASplitThereIsNoProgress() throws IOException {
    try (SplitReader reader =
        new SplitReader(
            (split, context) -> {
              throw new IOException("not opened");
            },
            () -> {})) {
      assertEquals(0, reader.getProgress());
    }
  }
}

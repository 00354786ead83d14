package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SinkFileTest {
  @TempDir private Path directory;

  @Test
  void periodsAreThoseOfTheServersBeanSinceATime() throws IOException {
    Path file = directory.resolve("sink");
    Files.writeString(
        file,
        """
        1764266400000 regionserver.Server: Context=regionserver, Hostname=a, regionCount=1002
        1764266400000 regionserver.Regions: Context=regionserver, Hostname=a
        1764266410000 regionserver.Server: Context=regionserver, Hostname=a, regionCount=1002
        17642664200""");

    assertEquals(2, SinkFile.periods(file, 1_764_266_400_000L));
    assertEquals(1, SinkFile.periods(file, 1_764_266_400_001L));
  }

  @Test
  void sinkThatHasNotBegunHasNoPeriod() throws IOException {
    assertEquals(0, SinkFile.periods(directory.resolve("none"), 0));
  }
}

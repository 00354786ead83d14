package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SinkFileTest {
  @TempDir private Path directory;

  @Test
  void periodsAreThoseOfTheServersBean() throws IOException {
    Path file = directory.resolve("sink");
    Files.writeString(
        file,
        """
        1764266400000 regionserver.Server: Context=regionserver, Hostname=a, regionCount=1002
        1764266400000 regionserver.Regions: Context=regionserver, Hostname=a
        1764266410000 regionserver.Server: Context=regionserver, Hostname=a, regionCount=1002
        """);

    assertEquals(2, SinkFile.periods(file));
  }

  @Test
  void serverIsToldPeriodAndFile() throws IOException {
    SinkFile.configure(directory.resolve("conf"), Path.of("/metrics"), 10);
    String written = Files.readString(directory.resolve("conf/hadoop-metrics2-hbase.properties"));

    assertTrue(written.contains("*.period=10\n"), written);
    assertTrue(written.contains("filename=/metrics\n"), written);
  }
}

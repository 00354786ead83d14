package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneDirectoryTest {
  @TempDir Path parent;

  private static String refusal(Path root) {
    return assertThrows(StartupException.class, () -> StandaloneDirectory.open(root)).getMessage();
  }

  private static Path rootOf(String configured) throws StartupException {
    Configuration conf = new Configuration(false);
    if (configured != null) {
      conf.set(HConstants.HBASE_DIR, configured, "test");
    }
    return StandaloneDirectory.rootOf(conf, Path.of("/home/of/grampus/data"));
  }

  @Test
  void aMissingDirectoryIsMadeAndTakenAgainAfterwards() throws Exception {
    Path root = parent.resolve("a").resolve("b");
    for (int i = 0; i < 2; i++) {
      try (StandaloneDirectory directory = StandaloneDirectory.open(root)) {
        assertEquals(root, directory.root());
        assertTrue(Files.isDirectory(root.resolve(StandaloneDefaults.PRIVATE_DIRECTORY)));
      }
    }
  }

  @Test
  void aForeignDirectoryIsRefusedAndLeftAlone() throws IOException {
    Files.createFile(parent.resolve("somebody's"));
    String message = refusal(parent);
    assertTrue(message.contains("holds files that Grampus did not write"), message);
    try (var entries = Files.list(parent)) {
      assertEquals(1, entries.count());
    }
  }

  @Test
  void aHeldDirectoryIsRefused() throws Exception {
    try (StandaloneDirectory held = StandaloneDirectory.open(parent)) {
      String message = refusal(held.root());
      assertTrue(message.contains(parent + " is in use"), message);
    }
  }

  @Test
  void aFileIsNoDirectory() throws IOException {
    Path file = Files.createFile(parent.resolve("file"));
    assertEquals("hbase.rootdir " + file + " is not a directory", refusal(file));
  }

  @Test
  void aPathBelowAFileCannotBeWritten() throws IOException {
    Path below = Files.createFile(parent.resolve("file")).resolve("root");
    assertEquals("cannot write to hbase.rootdir " + below + ": Not a directory", refusal(below));
  }

  @Test
  void theRootIsALocalPath() throws StartupException {
    assertEquals(Path.of("/home/of/grampus/data/hbase"), rootOf(null));
    assertEquals(Path.of("/data"), rootOf("file:///data"));
    assertEquals(Path.of("/data"), rootOf("/other/../data"));
    String message =
        assertThrows(StartupException.class, () -> rootOf("hdfs://namenode/hbase")).getMessage();
    assertTrue(message.contains("hdfs://namenode/hbase"), message);
  }
}

package org.grampus.mapreduce.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which root a command has, beside what site files say. */
class InstallationRootTest {
  private static final String KEY = "hbase.rootdir";
  private static final String PROPERTY = "grampus.data.dir";

  @TempDir private Path data;
  private String before;

  @BeforeEach
  void installation() {
    before = System.setProperty(PROPERTY, data.toString());
  }

  @AfterEach
  void restore() {
    if (before == null) {
      System.clearProperty(PROPERTY);
    } else {
      System.setProperty(PROPERTY, before);
    }
  }

  private String own() {
    return data.resolve("hbase").toUri().toString();
  }

  @Test
  void aCommandBesideAStandaloneServerReadsItsRoot() throws IOException {
    assertNotEquals(own(), JobConfiguration.of(Map.of(), false).get(KEY), "no server was there");
    Files.createDirectories(data.resolve("hbase/.grampus"));
    assertEquals(own(), JobConfiguration.of(Map.of(), false).get(KEY));
  }

  @Test
  void aRootThatIsNamedIsTaken() throws IOException {
    Files.createDirectories(data.resolve("hbase/.grampus"));
    Configuration conf = JobConfiguration.of(Map.of(KEY, "file:///elsewhere"), false);
    assertEquals("file:///elsewhere", conf.get(KEY));
  }

  @Test
  void aCommandForAnotherClusterHasNotTheRootOfThisOne() throws IOException {
    Files.createDirectories(data.resolve("hbase/.grampus"));
    Configuration conf = JobConfiguration.of(Map.of("hbase.zookeeper.quorum", "zk1"), false);
    assertNotEquals(own(), conf.get(KEY));
  }
}

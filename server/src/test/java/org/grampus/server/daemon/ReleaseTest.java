package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseTest {
  private static final String HBASE = ", compatible with HBase " + VersionInfo.getVersion();

  @TempDir private Path home;

  @Test
  void aReleaseNamesItsVersionCommitAndPlatform() throws IOException {
    Files.writeString(
        home.resolve("RELEASE"), "version=1.2.3\ncommit=0123abcd\nplatform=linux-aarch64\n");
    assertEquals(
        "Grampus 1.2.3 of commit 0123abcd for linux-aarch64" + HBASE,
        VersionCommand.line(Release.of(home)));
  }

  @Test
  void aCheckoutIsNoRelease() throws IOException {
    assertTrue(Release.of(home).isEmpty());
    assertEquals("Grampus built from sources" + HBASE, VersionCommand.line(Optional.empty()));
  }

  @Test
  void whatAReleaseDoesNotSayIsNamed() throws IOException {
    Files.writeString(home.resolve("RELEASE"), "version=1.2.3\n");
    assertEquals(
        Optional.of(new Release("1.2.3", "an unknown commit", "an unknown platform")),
        Release.of(home));
  }
}

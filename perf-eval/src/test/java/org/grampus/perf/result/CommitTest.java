package org.grampus.perf.result;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommitTest {
  @TempDir private Path home;

  @Test
  void aReleaseSaysOfWhatCommitItIs() throws Exception {
    Files.writeString(home.resolve("RELEASE"), "version=1.2.3\ncommit=0123abcd\n");

    assertEquals(new Commit("0123abcd", false), Commit.of(home));
  }

  @Test
  void whatIsNeitherReleaseNorCheckoutHasNone() throws Exception {
    assertEquals(new Commit("unknown", false), Commit.of(home));
  }
}

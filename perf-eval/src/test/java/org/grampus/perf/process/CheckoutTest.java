package org.grampus.perf.process;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When what a checkout has built is not what its sources say. */
final class CheckoutTest {
  @TempDir private Path home;

  private void file(String name, int second) throws IOException {
    Path file = home.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1000L * second));
  }

  private boolean isStale() throws IOException {
    return new Checkout(home).isStale();
  }

  @Test
  void aBuildIsStaleOnceASourceIsNewer() throws IOException {
    file("server/src/main/java/A.java", 10);
    assertTrue(isStale(), "nothing was built");
    file("build/lib/.built", 20);
    assertFalse(isStale());
    file("native/crates/wal/src/lib.rs", 30);
    assertTrue(isStale());
    file("build/lib/.built", 40);
    assertFalse(isStale());
    file("server/src/main/resources/page.css", 50);
    assertTrue(isStale());
  }

  @Test
  void whatIsNoSourceMakesNoBuildStale() throws IOException {
    file("build/lib/.built", 20);
    file("docs/page.md", 30);
    file("server/target/generated/A.java", 30);
    file("native/fuzz/src/lib.rs", 30);
    file("data/a.java", 30);

    assertFalse(isStale());
  }
}

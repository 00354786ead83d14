package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An import removes what came with it, and nothing of another one. */
class OwnDirectoryTest {
  @TempDir private Path root;

  private Path shared() {
    return root.resolve("shared");
  }

  private OwnDirectory own(String name) throws IOException {
    return OwnDirectory.of(
        FileSystem.getLocal(new Configuration()),
        new org.apache.hadoop.fs.Path(shared().resolve(name).toUri()));
  }

  @Test
  void aParentThatCameWithItGoesWithIt() throws IOException {
    OwnDirectory own = own("a");
    Files.createDirectories(shared().resolve("a"));
    own.removeIfEmpty();
    assertFalse(Files.exists(shared()));

    Files.createDirectories(shared().resolve("a/b"));
    own.remove();
    assertFalse(Files.exists(shared()));
  }

  @Test
  void aParentThatWasThereStays() throws IOException {
    Files.createDirectory(shared());
    OwnDirectory own = own("a");
    Files.createDirectory(shared().resolve("a"));
    own.removeIfEmpty();
    assertTrue(Files.exists(shared()));
    assertFalse(Files.exists(shared().resolve("a")));
  }

  /** The other import has made the parent, and its own directory comes next. */
  @Test
  void oneThatNeverCameLeavesTheParentOfAnother() throws IOException {
    OwnDirectory own = own("a");
    Files.createDirectory(shared());
    own.removeIfEmpty();
    own.remove();
    assertTrue(Files.exists(shared()));
  }

  @Test
  void whatIsInUseStays() throws IOException {
    OwnDirectory own = own("a");
    Files.createDirectories(shared().resolve("a"));
    Files.createDirectory(shared().resolve("b"));
    own.remove();
    assertFalse(Files.exists(shared().resolve("a")));
    assertTrue(Files.exists(shared().resolve("b")));

    Files.createDirectories(shared().resolve("a/c"));
    own.removeIfEmpty();
    assertTrue(Files.exists(shared().resolve("a/c")));
  }
}

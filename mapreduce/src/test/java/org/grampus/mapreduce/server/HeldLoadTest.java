package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.mapreduce.load.ColumnFileLoader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two regions, one of whose servers has a load's files under way while the loader is gone. It may
 * put them into the table, or move them back when the region is opened once more.
 */
class HeldLoadTest extends JobTest {
  private static final int ROWS = 20;
  private static final int MIDDLE = 10;

  private Path output;
  private Path held;

  @BeforeEach
  void write() throws IOException {
    create(b(row(MIDDLE)));
    output = directory.resolve("out");
    held = Files.createDirectories(directory.resolve("held"));
    write(0, MIDDLE);
    write(MIDDLE, ROWS);
  }

  private void write(int from, int until) throws IOException {
    WrittenFiles.write(path(), configuration(), table.getDescriptor(), F, "v", from, until);
  }

  private org.apache.hadoop.fs.Path path() {
    return new org.apache.hadoop.fs.Path(output.toUri());
  }

  /** As a server does with a file of a load before it is in the table. */
  private void hold(Path file) throws IOException {
    Files.move(file, held.resolve(file.getFileName()));
  }

  /** As the next open of a region does after a load that has not come to its end. */
  private void undo(Path file) throws IOException {
    Files.move(held.resolve(file.getFileName()), file);
  }

  private int load() throws IOException {
    return new ColumnFileLoader(connection, name).load(path()).files();
  }

  /** Begins a load during whose calls something happens. */
  private void loadWith(SplittingFileSystem.Change change) throws IOException {
    Configuration conf = configuration();
    conf.set("fs.file.impl", ToolFileSystem.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    try (Connection first = ConnectionFactory.createConnection(conf)) {
      ToolFileSystem.once(change);
      new ColumnFileLoader(first, name).load(path());
    }
  }

  private Path any() throws IOException {
    try (Stream<Path> files = Files.list(output.resolve("f"))) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .findFirst()
          .orElseThrow();
    }
  }

  private void assertLoadedOnceAllIsBack(Path file) throws IOException {
    String said = assertThrows(IOException.class, this::load).getMessage();
    assertTrue(said.contains("whether 1 files"), said);
    assertTrue(said.contains(file.getFileName().toString()), said);
    assertTrue(scanned(name, new Scan()).isEmpty(), "nothing is loaded before");
    undo(file);
    assertEquals(2, load());
    assertEquals(ROWS, scanned(name, new Scan()).size());
    assertFalse(Files.exists(output.resolve("_loading")));
    assertEquals(0, load());
  }

  @Test
  void aLoaderThatIsKilledDoesNotLetOthersForgetFilesUnderWay() throws Exception {
    Path file = any();
    RuntimeException killed =
        assertThrows(
            RuntimeException.class,
            () ->
                loadWith(
                    () -> {
                      hold(file);
                      throw new AssertionError("killed");
                    }));
    assertTrue(killed.toString().contains("killed"), killed.toString());
    assertLoadedOnceAllIsBack(file);
  }

  /** The server that has not answered takes its file when the client has given it up. */
  @Test
  void aFileThatIsTakenAfterTheLoadFailedIsNotForgotten() throws Exception {
    Path file = any();
    assertThrows(
        IOException.class,
        () ->
            loadWith(
                () -> {
                  throw new IOException("no answer");
                }));
    hold(file);
    assertLoadedOnceAllIsBack(file);
  }
}

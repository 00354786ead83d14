package org.grampus.server.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalFilesTest {
  @TempDir java.nio.file.Path directory;

  private FileSystem ours;
  private FileSystem hadoops;

  @BeforeEach
  void open() throws Exception {
    Configuration conf = Settings.load(directory.resolve("conf"), Map.of());
    ours = FileSystem.newInstance(URI.create("file:///"), conf);
    conf.set("fs.file.impl", RawLocalFileSystem.class.getName());
    hadoops = FileSystem.newInstance(URI.create("file:///"), conf);
  }

  @AfterEach
  void close() throws IOException {
    ours.close();
    hadoops.close();
  }

  private Path path(String name) {
    return new Path(directory.resolve(name).toUri());
  }

  private void assertAsHadoops(Path path) throws IOException {
    FileStatus expected = hadoops.getFileStatus(path);
    FileStatus status = ours.getFileStatus(path);
    assertEquals(expected.getPath(), status.getPath());
    assertEquals(expected.getLen(), status.getLen());
    assertEquals(expected.isDirectory(), status.isDirectory());
    assertEquals(expected.getReplication(), status.getReplication());
    assertEquals(expected.getBlockSize(), status.getBlockSize());
    assertEquals(expected.getModificationTime(), status.getModificationTime());
    assertEquals(expected.getAccessTime(), status.getAccessTime());
    assertEquals(expected.getPermission(), status.getPermission());
    assertEquals(expected.getOwner(), status.getOwner());
    assertEquals(expected.getGroup(), status.getGroup());
  }

  private static void use(FileSystem fs, Path parent) throws IOException {
    assertTrue(fs.mkdirs(parent, new FsPermission((short) 0711)));
    Path file = new Path(parent, "file");
    try (FSDataOutputStream out =
        fs.create(file, new FsPermission((short) 0640), true, 4096, (short) 1, 1 << 20, null)) {
      out.write(7);
    }
    fs.setPermission(file, new FsPermission((short) 0600));
    for (FileStatus status : fs.listStatus(parent)) {
      assertEquals(new FsPermission((short) 0600), status.getPermission());
    }
  }

  @ParameterizedTest
  @ValueSource(shorts = {0600, 0640, 0755, 01777, 0})
  void permissionsAreThoseOfHadoop(short mode) throws IOException {
    Path file = path("file");
    ours.create(file).close();
    ours.setPermission(file, new FsPermission(mode));
    assertEquals(new FsPermission(mode), ours.getFileStatus(file).getPermission());
    assertAsHadoops(file);
  }

  @Test
  void directoriesLinksAndOddNamesAreAsInHadoop() throws IOException {
    use(ours, path("a b:c"));
    Files.createSymbolicLink(directory.resolve("link"), directory.resolve("a b:c").resolve("file"));
    assertAsHadoops(path("a b:c"));
    assertAsHadoops(new Path(path("a b:c"), "file"));
    assertAsHadoops(path("link"));
  }

  @Test
  void whatDoesNotExistIsNotFound() throws IOException {
    ours.create(path("file")).close();
    for (Path path : List.of(path("nothing"), new Path(path("file"), "below"))) {
      assertThrows(FileNotFoundException.class, () -> hadoops.getFileStatus(path));
      assertThrows(FileNotFoundException.class, () -> ours.getFileStatus(path));
    }
    assertThrows(
        IOException.class, () -> ours.setPermission(path("nothing"), FsPermission.getDefault()));
  }

  /** Processes may outlive a server that is killed, with its ports. */
  @Test
  void noProcessIsStarted() throws Exception {
    assertTrue(processes(hadoops, "hadoops") > 0, "the recording notices processes");
    assertEquals(0, processes(ours, "ours"));
  }

  private long processes(FileSystem fs, String name) throws Exception {
    java.nio.file.Path events = directory.resolve(name + ".jfr");
    try (Recording recording = new Recording()) {
      recording.enable("jdk.ProcessStart").withThreshold(Duration.ZERO);
      recording.start();
      use(fs, path(name));
      recording.stop();
      recording.dump(events);
    }
    return RecordingFile.readAllEvents(events).stream()
        .filter(event -> event.getEventType().getName().equals("jdk.ProcessStart"))
        .count();
  }
}

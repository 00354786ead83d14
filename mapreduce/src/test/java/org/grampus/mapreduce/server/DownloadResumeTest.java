package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Scan;
import org.grampus.mapreduce.download.DownloadCommand;
import org.junit.jupiter.api.Test;

/** A download that is killed goes on. */
class DownloadResumeTest extends DownloadCase {
  @Test
  void aKilledDownloadGoesOn() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    String snapshot = name.getNameAsString() + "Snapshot";
    admin.snapshot(snapshot, name);
    String[] options = {
      "--format=csv",
      "--columns=" + COLUMNS,
      "--snapshot=" + snapshot,
      "--splits=100",
      "-D",
      "mapreduce.local.map.tasks.maximum=1"
    };
    Path done = target("killed").resolve("_download").resolve("done");
    killOnceAPartIsDone(arguments("killed", options), done);
    List<Path> before = reports(done);
    assertNotEquals(0, before.size());
    assertTrue(before.size() < 100, before.size() + " parts");
    assertTrue(parts("killed").isEmpty());
    FileTime first = Files.getLastModifiedTime(partOf(before.get(0)));
    String other =
        refusal("killed", "--format=csv", "--columns=f:q1", "--snapshot=" + snapshot, "--resume");
    assertTrue(other.contains("other rows, columns or format"), other);
    assertTrue(refusal("killed", options).contains("--resume"));

    List<String> more = new ArrayList<>(List.of(options));
    more.add("--resume");
    assertEquals(0, download("killed", more.toArray(new String[0])));
    assertEquals(table(new Scan()), csv("killed"));
    assertEquals(100, parts("killed").size());
    String name = partOf(before.get(0)).getFileName().toString();
    assertEquals(
        first, Files.getLastModifiedTime(target("killed").resolve(name)), "not read again");
    admin.deleteSnapshot(snapshot);
  }

  @Test
  void aLaterSnapshotOfTheNameIsAnotherOne() throws Exception {
    create();
    fill(10);
    String snapshot = name.getNameAsString() + "Nightly";
    admin.snapshot(snapshot, name);
    String[] options = {"--format=csv", "--columns=f:q1=n:long(text)", "--snapshot=" + snapshot};
    assertTrue(refusal("late", options).contains("--resume"), "its values are no numbers");
    admin.deleteSnapshot(snapshot);
    admin.snapshot(snapshot, name);
    List<String> more = new ArrayList<>(List.of(options));
    more.add("--resume");
    String said = refusal("late", more.toArray(new String[0]));
    assertTrue(said.contains("an earlier snapshot of the same name"), said);
    admin.deleteSnapshot(snapshot);
  }

  @Test
  void aKilledDownloadThroughServersGoesOn() throws Exception {
    create(b(row(300)));
    fill(ROWS);
    String[] options = {
      "--format=csv",
      "--columns=" + COLUMNS,
      "--server",
      "--splits=50",
      "-D",
      "mapreduce.local.map.tasks.maximum=1"
    };
    List<List<String>> expected = table(new Scan());
    Path done = target("killed").resolve("_download").resolve("done");
    killOnceAPartIsDone(arguments("killed", options), done);
    List<Path> before = reports(done);
    assertTrue(!before.isEmpty() && before.size() < 50, before.size() + " parts");
    assertTrue(refusal("killed", options).contains("--resume"));
    List<String> more = new ArrayList<>(List.of(options));
    more.add("--resume");
    assertEquals(0, download("killed", more.toArray(new String[0])));
    assertEquals(expected, csv("killed"));
    assertEquals(50, parts("killed").size());
    assertFalse(manifest("killed").has("snapshot"));
  }

  private static Path partOf(Path report) {
    String name = report.getFileName().toString();
    return report.resolveSibling(name.substring(0, name.length() - ".json".length()));
  }

  private static List<Path> reports(Path done) throws IOException {
    if (!Files.exists(done)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(done)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private void killOnceAPartIsDone(List<String> arguments, Path done) throws Exception {
    Process process =
        startCommand(DownloadCommand.class, arguments, directory.resolve("killed.log"));
    try {
      while (reports(done).isEmpty()) {
        assertTrue(process.isAlive(), () -> log());
        Thread.sleep(5);
      }
    } finally {
      process.destroyForcibly();
      assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    }
  }

  private String log() {
    try {
      return Files.readString(directory.resolve("killed.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }
}

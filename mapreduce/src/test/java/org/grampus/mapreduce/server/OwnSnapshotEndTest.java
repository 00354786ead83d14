package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The snapshot that a local job takes for itself goes with its process, however that ends. */
class OwnSnapshotEndTest extends DownloadCase {
  private static final int SIGTERM_CODE = 143;

  @AfterEach
  void dropSnapshots() throws IOException {
    admin.deleteSnapshots(own());
  }

  private Pattern own() {
    return Pattern.compile(Pattern.quote(name.getNameAsString()) + "-.*");
  }

  private List<String> snapshots() throws IOException {
    return admin.listSnapshots(own()).stream().map(SnapshotDescription::getName).toList();
  }

  private Path log() {
    return directory.resolve("program.log");
  }

  private String said() {
    try {
      return Files.readString(log());
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** The program over a table of a few rows, once a mapper reads it. */
  private Process reading(OwnSnapshotProgram.End end) throws Exception {
    create();
    fill(10);
    List<String> arguments = new ArrayList<>(serverOptions());
    arguments.addAll(List.of(name.getNameAsString(), end.name()));
    Process process = startCommand(OwnSnapshotProgram.class, arguments, log());
    while (!said().contains(OwnSnapshotProgram.READS)) {
      assertTrue(process.isAlive() || said().contains(OwnSnapshotProgram.READS), this::said);
      Thread.sleep(10);
    }
    return process;
  }

  private void assertEnds(Process process, int code) throws Exception {
    try {
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), this::said);
    } finally {
      process.destroyForcibly();
    }
    assertEquals(code, process.exitValue(), this::said);
    assertEquals(List.of(), snapshots(), this::said);
  }

  @Test
  void itGoesWhenTheJobHasSucceeded() throws Exception {
    assertEnds(reading(OwnSnapshotProgram.End.SUCCESS), 0);
  }

  @Test
  void itGoesWhenTheJobHasFailed() throws Exception {
    assertEnds(reading(OwnSnapshotProgram.End.FAILURE), 1);
  }

  @Test
  void itGoesWhenTheProcessIsTerminated() throws Exception {
    Process process = reading(OwnSnapshotProgram.End.NEVER);
    try {
      assertEquals(1, snapshots().size(), "while the job runs");
    } finally {
      process.destroy();
    }
    assertEnds(process, SIGTERM_CODE);
  }
}

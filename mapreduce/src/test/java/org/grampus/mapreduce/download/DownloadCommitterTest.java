package org.grampus.mapreduce.download;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.apache.hadoop.mapreduce.task.JobContextImpl;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.files.Manifest;
import org.grampus.mapreduce.files.PartReport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that dies between any two changes of the directory, and another one that goes on. */
class DownloadCommitterTest {
  private static final int PARTS = 3;
  private static final int NEVER = Integer.MAX_VALUE;
  private static final JobID JOB = new JobID("job", 1);

  @TempDir java.nio.file.Path directory;
  private final Configuration base = configuration();
  private int runs;

  private static Configuration configuration() {
    Configuration conf = new Configuration(false);
    conf.set("fs.crash.impl", CrashingFileSystem.class.getName());
    conf.set("hbase.zookeeper.quorum", "localhost");
    return conf;
  }

  /** One run of the command; what it writes differs from what others write, but in its length. */
  private final class Run {
    private final DownloadRequest request;
    private final DownloadLayout layout;
    private final Configuration conf = new Configuration(base);
    private final String mark = String.format("%05d", runs++);

    Run(String target, boolean merged) throws IOException {
      Path path = new Path("crash://" + directory.resolve(target));
      layout = new DownloadLayout(path, FileFormat.CSV, mark);
      request = new DownloadRequest(layout, TableName.valueOf("n:t"), "f:q", null, true, merged);
      conf.set(TableInputFormat.SCAN, TableMapReduceUtil.convertScanToString(new Scan()));
      request.write(conf);
    }

    private FileSystem fs() throws IOException {
      return layout.fileSystem(conf);
    }

    /** As the command and its job do it. */
    void complete() throws IOException {
      begin();
      DoneFiles done = new DoneFiles(fs(), layout.done(), layout.directory());
      for (int part = 0; part < PARTS; part++) {
        if (!done.has(layout.partName(part))) {
          write(part);
        }
      }
      end();
    }

    void begin() throws IOException {
      DownloadDirectory files = new DownloadDirectory(conf, layout);
      if (fs().exists(layout.plan())) {
        files.resume(request.wanted(conf));
        return;
      }
      files.begin();
      List<PartSplit> parts = new ArrayList<>();
      for (int part = 0; part < PARTS; part++) {
        parts.add(PartSplit.of(part, null));
      }
      new DownloadPlan(request.wanted(conf), parts).write(fs(), layout);
    }

    void write(int part) throws IOException {
      TaskAttemptContext task =
          new TaskAttemptContextImpl(
              conf, new TaskAttemptID(new TaskID(JOB, TaskType.MAP, part), 0));
      DownloadCommitter committer = new DownloadCommitter(request);
      committer.setupTask(task);
      Path attempt = layout.attempt(task.getTaskAttemptID());
      String name = layout.partName(part);
      try (CountedOutput out = CountedOutput.create(fs(), new Path(attempt, name))) {
        out.write((name + " " + mark + "\n").getBytes(StandardCharsets.UTF_8));
        out.report(new Path(attempt, name), 1)
            .write(fs(), new Path(attempt, DownloadLayout.reportName(name)));
      }
      committer.commitTask(task);
    }

    void end() throws IOException {
      JobContext job = new JobContextImpl(conf, JOB);
      new DownloadCommitter(request).commitJob(job);
    }
  }

  private boolean isComplete(String target) {
    return Files.exists(directory.resolve(target).resolve("_SUCCESS"));
  }

  private void crashAnywhere(boolean merged, int files) throws IOException {
    int changes = 0;
    boolean crashed = true;
    while (crashed) {
      String target = (merged ? "merged" : "parts") + changes;
      crashed = runUntil(target, merged, changes++);
      if (isComplete(target)) {
        checkFiles(target, files);
        CrashingFileSystem.crashAfter(NEVER);
        new Run(target, merged).end(); // as after a crash of an application master
      } else {
        CrashingFileSystem.crashAfter(NEVER);
        new Run(target, merged).complete();
      }
      checkFiles(target, files);
      assertFalse(Files.exists(directory.resolve(target).resolve("_download")));
    }
    assertTrue(changes > 20, changes + " changes");
  }

  private boolean runUntil(String target, boolean merged, int changes) throws IOException {
    CrashingFileSystem.crashAfter(changes);
    try {
      new Run(target, merged).complete();
    } catch (IOException e) {
      assertTrue(CrashingFileSystem.crashed(), e.toString());
      return true;
    }
    return false;
  }

  /** The manifest is true, and each part is there once. */
  private void checkFiles(String target, int files) throws IOException {
    Path path = new Path(directory.resolve(target).resolve("_manifest.json").toString());
    Manifest manifest = Manifest.read(FileSystem.getLocal(base).getRaw(), path);
    assertEquals(files, manifest.files().size());
    assertEquals(PARTS, manifest.rows());
    StringBuilder rows = new StringBuilder();
    for (PartReport report : manifest.files()) {
      byte[] bytes = Files.readAllBytes(directory.resolve(target).resolve(report.name()));
      assertEquals(report.bytes(), bytes.length);
      CRC32C checksum = new CRC32C();
      checksum.update(bytes);
      assertEquals(HexFormat.of().toHexDigits((int) checksum.getValue()), report.crc32c());
      rows.append(new String(bytes, StandardCharsets.UTF_8));
    }
    List<String> lines = rows.toString().lines().toList();
    assertEquals(PARTS, lines.size());
    for (int part = 0; part < PARTS; part++) {
      assertTrue(lines.get(part).startsWith("part-0000" + part + ".csv "), lines.toString());
    }
  }

  @Test
  void aRunThatDiesAnywhereIsFinishedByAnother() throws IOException {
    crashAnywhere(false, PARTS);
  }

  @Test
  void soIsOneThatMerges() throws IOException {
    crashAnywhere(true, 1);
  }

  @Test
  void aRunThatIsAbandonedLeavesNoPart() throws IOException {
    abandonAnywhere(false, PARTS);
  }

  @Test
  void soDoesOneThatMerges() throws IOException {
    abandonAnywhere(true, 1);
  }

  private void abandonAnywhere(boolean merged, int files) throws IOException {
    boolean crashed = true;
    for (int changes = 0; crashed; changes++) {
      String target = (merged ? "merged" : "parts") + changes;
      Run run = new Run(target, merged);
      CrashingFileSystem.crashAfter(changes);
      try {
        run.complete();
        crashed = false;
      } catch (IOException e) {
        assertTrue(CrashingFileSystem.crashed(), e.toString());
      }
      CrashingFileSystem.crashAfter(NEVER);
      if (Files.exists(directory.resolve(target).resolve("_download").resolve("owner"))) {
        new DownloadDirectory(run.conf, run.layout).abandon();
      }
      if (isComplete(target)) {
        checkFiles(target, files);
      } else {
        assertEquals(List.of(), visible(target), changes + " changes");
      }
    }
  }

  private List<String> visible(String target) throws IOException {
    java.nio.file.Path path = directory.resolve(target);
    if (!Files.exists(path)) {
      return List.of();
    }
    try (Stream<java.nio.file.Path> found = Files.list(path)) {
      return found
          .map(file -> file.getFileName().toString())
          .filter(file -> !file.equals("_download"))
          .toList();
    }
  }

  @Test
  void aRunThatIsFollowedByAnotherChangesNothing() throws IOException {
    CrashingFileSystem.crashAfter(NEVER);
    Run first = new Run("two", false);
    first.begin();
    first.write(0);
    Run second = new Run("two", false);
    second.begin();
    assertTrue(assertThrows(IOException.class, () -> first.write(1)).getMessage().contains("run"));
    assertThrows(IOException.class, first::end);
    second.write(1);
    second.write(2);
    second.end();
    checkFiles("two", PARTS);
  }

  @Test
  void aTableThatIsCalledAsAPartIsMergedToo() throws IOException {
    CrashingFileSystem.crashAfter(NEVER);
    DownloadLayout layout = new Run("name", true).layout;
    assertEquals("part-00000.csv", layout.mergedName(TableName.valueOf("part-00000")));
    assertFalse(layout.merged().equals(layout.done()));
  }

  /** Hadoop, Spark and imports leave out files whose names begin so. */
  @Test
  void theMergedFileOfAnyTableIsData() throws IOException {
    DownloadLayout layout = new Run("hidden", true).layout;
    assertEquals("table_t.csv", layout.mergedName(TableName.valueOf("n:_t")));
    assertEquals("t_.csv", layout.mergedName(TableName.valueOf("n:t_")));
  }
}

package org.grampus.mapreduce.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.grampus.engine.NativeArrowStruct;
import org.grampus.mapreduce.columns.BatchInputFormat;
import org.grampus.mapreduce.columns.BatchRequest;
import org.grampus.mapreduce.columns.SplitBatches;
import org.grampus.mapreduce.columns.TableBatches;
import org.grampus.mapreduce.download.StreamCommand;
import org.grampus.mapreduce.input.SnapshotInputFormat;
import org.grampus.mapreduce.keys.HBaseKeys;
import org.junit.jupiter.api.Test;

/** A page that is corrupt, and a device that is full: who reads or writes says so, and stops. */
class FaultyFilesTest extends DownloadCase {
  private static final String HALF = row(300);

  /** A table of two regions, the second of which has a file with a corrupt page. */
  private Path withCorruptPage() throws IOException {
    create(b(HALF));
    fill(ROWS);
    Path file = fileOf(admin.getRegions(name).get(1));
    byte[] bytes = Files.readAllBytes(file);
    for (int i = bytes.length / 8; i < bytes.length / 4; i++) {
      bytes[i] ^= 0x55; // pages of data are in front; the index behind them stays whole
    }
    Files.write(file, bytes);
    return file;
  }

  private Path fileOf(RegionInfo region) throws IOException {
    Path family =
        server
            .rootDir()
            .resolve("data/default")
            .resolve(name.getNameAsString())
            .resolve(region.getEncodedName())
            .resolve("f");
    try (Stream<Path> files = Files.list(family)) {
      return files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
    }
  }

  private void assertNoSnapshot() throws IOException {
    assertTrue(admin.listSnapshots().stream().noneMatch(s -> s.getTableName().equals(name)));
  }

  @Test
  void aDownloadStopsAtACorruptPage() throws Exception {
    String file = withCorruptPage().getFileName().toString();
    for (String format : List.of("csv", "parquet")) {
      String sentence = refusal(format, "--format=" + format, "--splits=2");
      assertTrue(sentence.contains(file), sentence);
      assertEquals(List.of(), parts(format), "nothing that looks whole");
    }
    assertNoSnapshot();
  }

  @Test
  void aStreamHasNoEndAtACorruptPage() throws Exception {
    withCorruptPage();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<String> arguments = new ArrayList<>(List.of(name.getNameAsString()));
    arguments.addAll(serverOptions());
    arguments.add("--columns=" + COLUMNS);
    assertEquals(1, StreamCommand.commandLine(out).execute(arguments.toArray(new String[0])));
    byte[] end = {-1, -1, -1, -1, 0, 0, 0, 0};
    byte[] written = out.toByteArray();
    String tail =
        new String(
            written,
            Math.max(0, written.length - end.length),
            Math.min(end.length, written.length),
            StandardCharsets.ISO_8859_1);
    assertFalse(tail.equals(new String(end, StandardCharsets.ISO_8859_1)), "a whole stream");
    assertNoSnapshot();
  }

  @Test
  void batchesEndForGoodAtACorruptPage() throws Exception {
    String file = withCorruptPage().getFileName().toString();
    try (TableBatches batches =
        TableBatches.open(configuration(), BatchRequest.of(name).columns(COLUMNS))) {
      List<? extends InputSplit> splits = batches.splits();
      try (SplitBatches whole = batches.read(splits.get(0));
          NativeArrowStruct first = whole.next()) {
        assertNotNull(first, "the other region is read");
      }
      try (SplitBatches broken = batches.read(splits.get(splits.size() - 1))) {
        IOException error = assertThrows(IOException.class, () -> drain(broken));
        assertTrue(error.getMessage().contains(file), error.getMessage());
        IOException again = assertThrows(IOException.class, broken::next);
        assertTrue(again.getMessage().contains("failed before"), again.getMessage());
      }
    }
    assertNoSnapshot();
  }

  private static void drain(SplitBatches batches) throws IOException {
    NativeArrowStruct batch = batches.next();
    while (batch != null) {
      batch.close();
      batch = batches.next();
    }
  }

  @Test
  void aJobFailsAtACorruptPageWithOneSentence() throws Exception {
    String file = withCorruptPage().getFileName().toString();
    String snapshot = name + "_corrupt";
    admin.snapshot(snapshot, name);
    Job job = job(configuration(), SnapshotInputFormat.class, new Scan());
    job.getConfiguration().set(HBaseKeys.SNAPSHOT_NAME, snapshot);
    assertFalse(job.waitForCompletion(false));
    SnapshotInputFormat format = new SnapshotInputFormat();
    List<InputSplit> splits = format.getSplits(Job.getInstance(job.getConfiguration()));
    assertEquals(2, splits.size());
    assertTrue(rowsOf(format, splits.get(0), job) > 0, "the other region is read");
    IOException error = assertThrows(IOException.class, () -> rowsOf(format, splits.get(1), job));
    assertTrue(error.getMessage().contains(file), error.getMessage());
    assertEquals(1, error.getMessage().lines().count(), error.getMessage());
    admin.deleteSnapshot(snapshot);
  }

  private static int rowsOf(SnapshotInputFormat format, InputSplit split, Job job)
      throws IOException, InterruptedException {
    TaskAttemptContext task =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    int rows = 0;
    try (var reader = format.createRecordReader(split, task)) {
      reader.initialize(split, task);
      while (reader.nextKeyValue()) {
        rows++;
      }
    }
    return rows;
  }

  @Test
  void aJobOverBatchesFailsAtACorruptPageWithOneSentence() throws Exception {
    String file = withCorruptPage().getFileName().toString();
    String snapshot = name + "_corrupt";
    admin.snapshot(snapshot, name);
    Job job = job(configuration(), BatchInputFormat.class, null);
    job.setMapperClass(BatchJobTest.BatchMapper.class);
    BatchInputFormat.setInput(job, snapshot, COLUMNS);
    assertFalse(job.waitForCompletion(false));
    BatchInputFormat format = new BatchInputFormat();
    List<InputSplit> splits = format.getSplits(Job.getInstance(job.getConfiguration()));
    InputSplit broken = splits.get(splits.size() - 1);
    TaskAttemptContext task =
        new TaskAttemptContextImpl(job.getConfiguration(), new TaskAttemptID());
    try (RecordReader<NullWritable, VectorSchemaRoot> reader =
        format.createRecordReader(broken, task)) {
      reader.initialize(broken, task);
      IOException error = assertThrows(IOException.class, () -> drain(reader));
      assertTrue(error.getMessage().contains(file), error.getMessage());
      assertEquals(1, error.getMessage().lines().count(), error.getMessage());
    }
    admin.deleteSnapshot(snapshot);
  }

  private static void drain(RecordReader<NullWritable, VectorSchemaRoot> reader)
      throws IOException, InterruptedException {
    boolean more = true;
    while (more) {
      more = reader.nextKeyValue();
    }
  }

  @Test
  void aFullDeviceEndsADownload() throws Exception {
    create(b(HALF));
    fill(ROWS);
    for (String format : List.of("csv", "parquet")) {
      String to = "full-" + format;
      String sentence =
          refusal(
              to,
              "--to=full://" + target(to),
              "-Dfs.full.impl=" + FullFileSystem.class.getName(),
              "--format=" + format,
              "--columns=" + COLUMNS);
      assertTrue(sentence.contains("No space left on device"), sentence);
      assertEquals(List.of(), parts(to), "nothing that looks whole");
    }
    assertNoSnapshot();
  }
}

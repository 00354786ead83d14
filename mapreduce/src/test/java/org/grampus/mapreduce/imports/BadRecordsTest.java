package org.grampus.mapreduce.imports;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.JobID;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.TaskID;
import org.apache.hadoop.mapreduce.TaskType;
import org.grampus.mapreduce.source.Place;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts of one task, each of which lists the bad records that it meets. */
class BadRecordsTest {
  private static final TaskID TASK = new TaskID(new JobID("job", 1), TaskType.MAP, 3);

  @TempDir java.nio.file.Path directory;
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.getLocal(new Configuration(false)).getRaw();
  }

  private BadRecords attempt(int number) {
    return new BadRecords(fs, new Path(directory.toString()), new TaskAttemptID(TASK, number));
  }

  private static void add(BadRecords records, long line) throws IOException {
    records.add(new Place("a.csv", Place.Unit.LINE, line), "no number", "x");
  }

  private List<Long> lines() throws IOException {
    try (Stream<String> records = Files.lines(directory.resolve("bad-00003.jsonl"))) {
      return records
          .map(record -> JsonParser.parseString(record).getAsJsonObject().get("line").getAsLong())
          .toList();
    }
  }

  private List<String> names() throws IOException {
    try (Stream<java.nio.file.Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".crc"))
          .toList();
    }
  }

  @Test
  void anAttemptThatGoesOnDoesNotCutOffTheFileOfAnother() throws IOException {
    BadRecords late = attempt(0);
    BadRecords second = attempt(1);
    add(second, 5);
    add(second, 7);
    second.complete();
    second.close();
    add(late, 5);
    assertEquals(List.of(5L, 7L), lines());
    late.close();
    assertEquals(List.of(5L, 7L), lines());
    assertEquals(List.of("bad-00003.jsonl"), names());
  }

  @Test
  void theAttemptThatIsCompleteReplacesWhatAFailedOneHasLeft() throws IOException {
    BadRecords failed = attempt(0);
    add(failed, 5);
    failed.close();
    assertEquals(List.of(5L), lines());
    BadRecords second = attempt(1);
    add(second, 5);
    add(second, 7);
    second.complete();
    assertEquals(List.of(5L, 7L), lines());
  }

  @Test
  void whatAKilledAttemptHasLeftGetsTheTasksName() throws IOException {
    Path path = new Path(directory.toString());
    BadRecords killed = attempt(0);
    for (long line = 1; line <= 1000; line++) {
      add(killed, line);
    }
    BadRecords.nameLists(fs, path);
    assertEquals(List.of("bad-00003.jsonl"), names());
    long bytes = Files.size(directory.resolve("bad-00003.jsonl"));
    assertNotEquals(0, bytes);
    BadRecords early = attempt(1);
    add(early, 1);
    BadRecords.nameLists(fs, path);
    assertEquals(List.of("bad-00003.jsonl"), names());
    assertEquals(bytes, Files.size(directory.resolve("bad-00003.jsonl")), "the longer one");
    killed.complete();
    assertEquals(1000, lines().size(), "it goes on under its name");
    BadRecords.nameLists(fs, new Path(path, "missing"));
  }

  @Test
  void aKilledAttemptsListHasWhatWasFlushed() throws IOException {
    BadRecords killed = attempt(0);
    killed.flush();
    assertEquals(List.of(), names());
    add(killed, 5);
    killed.flush();
    BadRecords.nameLists(fs, new Path(directory.toString()));
    assertEquals(List.of(5L), lines());
    killed.complete();
  }

  @Test
  void aTaskWithoutBadRecordsHasNoFile() throws IOException {
    BadRecords none = attempt(0);
    none.complete();
    none.close();
    assertEquals(List.of(), names());
  }
}

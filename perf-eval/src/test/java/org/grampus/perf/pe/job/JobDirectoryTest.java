package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.server.WorkFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JobDirectoryTest {
  @TempDir private Path work;

  private Configuration conf() {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "file:///");
    conf.set("fs.file.impl", WorkFiles.class.getName());
    conf.setBoolean("fs.file.impl.disable.cache", true);
    conf.set(WorkFiles.DIRECTORY_KEY, work.toString());
    return conf;
  }

  @Test
  void jobsOfTheSameSecondHaveDirectoriesOfTheirOwn() throws Exception {
    JobDirectory first = JobDirectory.create(conf(), 1_000_000, List.of("a", "b"));
    JobDirectory second = JobDirectory.create(conf(), 1_000_999, List.of("c"));
    JobDirectory third = JobDirectory.create(conf(), 1_000_500, List.of("d"));

    assertNotEquals(first.name(), second.name());
    assertEquals(first.name() + "-1", second.name());
    assertEquals(first.name() + "-2", third.name());
    Path inputs = work.resolve("performance_evaluation").resolve(first.name());
    assertEquals(
        List.of("a", "b"), Files.readAllLines(inputs.resolve("inputs").resolve("input.txt")));
  }
}

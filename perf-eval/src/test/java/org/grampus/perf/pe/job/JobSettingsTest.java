package org.grampus.perf.pe.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipFile;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.conf.Configuration;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.work.RowTest;
import org.grampus.perf.pe.work.TestClient;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class JobSettingsTest {
  /** A class of the user's. */
  public static final class Mine extends RowTest {
    @Override
    public void open(TestClient client) {}

    @Override
    public Step row(long row) {
      return Step.SENT;
    }
  }

  private static Configuration job(String arguments) throws IOException {
    Configuration conf = new Configuration();
    conf.set("mapreduce.map.maxattempts", "4");
    conf.set("mapreduce.am.max-attempts", "2");
    conf.set("mapreduce.map.speculative", "true");
    conf.set("mapreduce.map.failures.maxpercent", "50");
    return JobSettings.job(conf, PeOptions.parse(List.of(arguments.split(" "))), 7)
        .getConfiguration();
  }

  @Test
  void tasksRunOnceWhateverTheSiteSays() throws Exception {
    Configuration job = job("--rows=1 randomWrite 7");

    assertEquals("1", job.get("mapreduce.map.maxattempts"));
    assertEquals("1", job.get("mapreduce.am.max-attempts"));
    assertEquals("false", job.get("mapreduce.map.speculative"));
    assertEquals("7", job.get("mapreduce.local.map.tasks.maximum"));
  }

  @Test
  void aTaskThatFailsStopsNoOther() throws Exception {
    assertEquals("100", job("--rows=1 randomWrite 7").get("mapreduce.map.failures.maxpercent"));
  }

  @Test
  void jarsOfTheToolTravelWithTheJob() throws Exception {
    Configuration job = job("--rows=1 randomWrite 1");

    for (Class<?> needed : List.of(Histogram.class, CommandLine.class, ClientMapper.class)) {
      assertTrue(travels(job, needed), needed::getName);
    }
  }

  @Test
  void theJarOfAClassOfTheUsersTravelsToo() throws Exception {
    assertTrue(travels(job("--rows=1 " + Mine.class.getName() + " 1"), Mine.class), "HBASE-4688");
    assertFalse(travels(job("--rows=1 randomWrite 1"), Mine.class));
  }

  private static boolean travels(Configuration job, Class<?> needed) throws IOException {
    String entry = needed.getName().replace('.', '/') + ".class";
    for (Path jar : jars(job)) {
      try (ZipFile open = new ZipFile(jar.toFile())) {
        if (open.getEntry(entry) != null) {
          return true;
        }
      }
    }
    return false;
  }

  private static List<Path> jars(Configuration job) {
    List<Path> jars = new ArrayList<>();
    for (String jar : job.getStrings("tmpjars")) {
      Path path = Path.of(URI.create(jar).getPath());
      if (Files.exists(path)) {
        jars.add(path);
      }
    }
    return jars;
  }
}

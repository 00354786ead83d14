package org.grampus.perf.pe.report;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.grampus.perf.pe.client.RunResult;
import org.grampus.perf.pe.option.PeOptions;
import org.grampus.perf.pe.option.Setting;
import org.grampus.perf.result.Commit;

/**
 * A new directory with the files of a run. They are written beside it and it gets its name when
 * they are whole, so that a directory of that name has all of them. For one thread.
 */
public final class ReportDirectory implements Closeable {
  private final Path directory;
  private final Path part;

  private ReportDirectory(Path directory, Path part) {
    this.directory = directory;
    this.part = part;
  }

  /**
   * Takes a place before the run, which would be lost if its report had none.
   *
   * @throws IOException when there is something of that name, or nothing can be written there
   */
  public static ReportDirectory at(Path given) throws IOException {
    Path directory = given.toAbsolutePath().normalize();
    if (Files.exists(directory)) {
      throw new IOException(directory + " is there already; --report needs a new directory");
    }
    Path parent = Files.createDirectories(directory.getParent());
    return new ReportDirectory(directory, part(parent, directory.getFileName().toString()));
  }

  /** A new hidden directory, as readable as any other one that the user makes. */
  private static Path part(Path parent, String name) throws IOException {
    for (int number = 0; true; number++) {
      Path part = parent.resolve("." + name + "-" + number);
      if (!Files.exists(part)) {
        return Files.createDirectory(part);
      }
    }
  }

  /**
   * Writes all files.
   *
   * @param commit of the Grampus whose tool this is
   * @param settings that had an effect
   * @param failures why the run has failed; empty when it has not
   */
  public void write(
      Commit commit,
      PeOptions options,
      List<Setting> settings,
      RunResult run,
      List<String> failures)
      throws IOException {
    JsonReport.write(part.resolve("result.json"), commit, options, settings, run, failures);
    SeriesCsv.write(part.resolve("series.csv"), run);
    LatencyLog.write(part.resolve("latency.hlog"), run);
    Plots.write(part, run);
    Files.move(part, directory, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes what a run that has failed has left; does nothing after {@link #write}. */
  @Override
  public void close() throws IOException {
    if (Files.exists(part)) {
      List<Path> files;
      try (Stream<Path> all = Files.walk(part)) {
        files = all.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.delete(file);
      }
    }
  }
}

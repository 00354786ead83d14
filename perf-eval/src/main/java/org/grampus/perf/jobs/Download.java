package org.grampus.perf.jobs;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.perf.ToolException;
import org.grampus.perf.process.Expect;

/**
 * What a download has written so far.
 *
 * @param fs of its directory
 * @param directory that {@code --to} names
 */
record Download(FileSystem fs, Path directory) {
  private static final String REPORT = ".json";

  /** Whether it says that it is complete. */
  boolean isComplete() throws IOException {
    return fs.exists(new Path(directory, "_SUCCESS"));
  }

  /**
   * Names, rows, bytes and checksums of its files, as its manifest has them.
   *
   * @throws ToolException when it is not complete, or has other files than these
   */
  List<String> parts() throws ToolException, IOException {
    Expect.equal(directory + " is complete", true, isComplete());
    Expect.equal("leftovers in " + directory, false, fs.exists(new Path(directory, "_download")));
    JsonObject manifest =
        JsonParser.parseString(text(new Path(directory, "_manifest.json"))).getAsJsonObject();
    List<String> parts = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (JsonElement part : manifest.getAsJsonArray("files")) {
      parts.add(part.toString());
      names.add(part.getAsJsonObject().get("name").getAsString());
    }
    Expect.equal("files in " + directory, names, names(directory, "part-"));
    return parts;
  }

  /** The lines of all its files of CSV in their order, without headers. */
  List<String> csv() throws ToolException, IOException {
    List<String> lines = new ArrayList<>();
    parts();
    for (String name : names(directory, "part-")) {
      text(new Path(directory, name)).lines().skip(1).forEach(lines::add);
    }
    return lines;
  }

  /** Files of parts that are done, while the download is not complete. */
  List<Path> done() throws IOException {
    Path done = new Path(directory, "_download/done");
    return names(done, "part-").stream()
        .filter(name -> name.endsWith(REPORT))
        .map(name -> new Path(done, name.substring(0, name.length() - REPORT.length())))
        .toList();
  }

  /** Attempts that have begun to write a part. */
  List<String> writing() throws IOException {
    List<String> writing = new ArrayList<>();
    Path attempts = new Path(directory, "_download/attempts");
    for (String run : names(attempts, "")) {
      for (String attempt : names(new Path(attempts, run), "attempt_")) {
        if (!names(new Path(new Path(attempts, run), attempt), "part-").isEmpty()) {
          writing.add(attempt);
        }
      }
    }
    return writing;
  }

  private List<String> names(Path parent, String prefix) throws IOException {
    List<String> names = new ArrayList<>();
    try {
      for (FileStatus status : fs.listStatus(parent)) {
        if (status.getPath().getName().startsWith(prefix)) {
          names.add(status.getPath().getName());
        }
      }
    } catch (FileNotFoundException e) {
      return List.of(); // not yet, or no more
    }
    names.sort(null);
    return names;
  }

  private String text(Path file) throws IOException {
    try (InputStream in = fs.open(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}

package org.grampus.perf.result;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a command measured, and where, when and on what. One JSON file holds one.
 *
 * @param schema number of this form; it grows when a field changes its meaning or goes
 * @param command as it was typed behind {@code bin/grampus perf}
 * @param date when it began, in UTC, as ISO 8601 has it
 * @param commit the sources
 * @param machine where it ran
 * @param settings options and what follows from them
 * @param runs in the order in which they were made
 */
public record Result(
    int schema,
    String command,
    String date,
    Commit commit,
    Machine machine,
    Map<String, Object> settings,
    List<Run> runs) {
  /** The number of the form of today. */
  public static final int SCHEMA = 1;

  private static final Gson GSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  /** The JSON. */
  public String toJson() {
    return GSON.toJson(this) + "\n";
  }

  /** Reads it back. */
  public static Result parse(String json) {
    return GSON.fromJson(json, Result.class);
  }

  /** Writes {@code DIR/COMMAND-DATE.json}; returns the file. */
  public Path write(Path directory) throws IOException {
    String name =
        command.replaceFirst(" .*", "") + "-" + date.replace(":", "").replace("Z", "") + ".json";
    Path file = Files.createDirectories(directory).resolve(name);
    Files.writeString(file, toJson());
    return file;
  }
}

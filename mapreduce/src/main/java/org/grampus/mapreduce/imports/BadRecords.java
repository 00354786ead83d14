package org.grampus.mapreduce.imports;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.source.Place;

/**
 * A task's file of records that no row can be made of: an object of JSON per line. There is none
 * before the first one. Another attempt of the task begins it anew. One thread.
 */
final class BadRecords implements Closeable {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();

  private final FileSystem fs;
  private final Path file;
  private FSDataOutputStream out;

  /**
   * The file of a task.
   *
   * @param task its number
   */
  BadRecords(FileSystem fs, Path directory, int task) {
    this.fs = fs;
    this.file = new Path(directory, String.format(Locale.ROOT, "bad-%05d.jsonl", task));
  }

  /** Adds a record. */
  void add(Place place, String reason, String raw) throws IOException {
    if (out == null) {
      out = fs.create(file, true);
    }
    JsonObject bad = new JsonObject();
    bad.addProperty("file", place.file());
    bad.addProperty(place.unit().toString(), place.number());
    bad.addProperty("reason", reason);
    bad.addProperty("record", raw);
    out.write((GSON.toJson(bad) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Makes durable what was added. */
  @Override
  public void close() throws IOException {
    if (out != null) {
      out.hsync();
      out.close();
    }
  }
}

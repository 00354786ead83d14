package org.grampus.perf.pe.job;

import com.google.gson.Gson;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.perf.pe.client.ClientResult;

/** Brings results from tasks to the process that has begun the job: a file of JSON for each. */
final class ResultFiles {
  /** Below this key a task finds where its result goes. */
  private static final String DIRECTORY_KEY = "grampus.pe.results";

  private static final String SUFFIX = ".json";
  private static final long BYTES_MAX = 256L << 20;
  private static final Gson GSON = TravelJson.gson();

  private ResultFiles() {}

  /** Tells the tasks of a job where their results go. */
  static void setDirectory(Configuration job, Path directory) {
    job.set(DIRECTORY_KEY, directory.toString());
  }

  /** Writes the result of a task; it is there whole or not at all. */
  static void write(Configuration job, ClientResult result) throws IOException {
    Path directory = new Path(job.get(DIRECTORY_KEY));
    FileSystem files = directory.getFileSystem(job);
    Path part = new Path(directory, "." + result.client() + ".part");
    try (Writer out = new OutputStreamWriter(files.create(part, true), StandardCharsets.UTF_8)) {
      GSON.toJson(StoredResult.of(result), out);
    }
    Path whole = new Path(directory, result.client() + SUFFIX);
    if (!files.rename(part, whole)) {
      throw new IOException("cannot rename " + part + " to " + whole);
    }
  }

  /** The results of a job's tasks, in the order of their numbers. */
  static List<ClientResult> read(Configuration job) throws IOException {
    Path directory = new Path(job.get(DIRECTORY_KEY));
    FileSystem files = directory.getFileSystem(job);
    List<ClientResult> results = new ArrayList<>();
    if (files.exists(directory)) {
      for (FileStatus file : files.listStatus(directory)) {
        if (file.getPath().getName().endsWith(SUFFIX)) {
          results.add(read(files, file));
        }
      }
    }
    results.sort(Comparator.comparingInt(ClientResult::client));
    return results;
  }

  private static ClientResult read(FileSystem files, FileStatus file) throws IOException {
    if (file.getLen() > BYTES_MAX) {
      throw new IOException(file.getPath() + " has more than " + BYTES_MAX + " bytes");
    }
    try (Reader in = new InputStreamReader(files.open(file.getPath()), StandardCharsets.UTF_8)) {
      return GSON.fromJson(in, StoredResult.class).result();
    } catch (RuntimeException e) {
      throw new IOException(file.getPath() + " is not the result of a client", e);
    }
  }
}

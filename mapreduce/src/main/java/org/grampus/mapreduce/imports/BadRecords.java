package org.grampus.mapreduce.imports;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.grampus.mapreduce.files.DurableFile;
import org.grampus.mapreduce.source.Place;

/**
 * A task's file of records that no row can be made of: an object of JSON per line. There is none
 * before the first one. Each attempt of the task writes a file of its own, which gets the task's
 * name at the end, so that an attempt that goes on beside another one cannot cut off the other's
 * file. One thread.
 */
final class BadRecords implements Closeable {
  private static final Gson GSON = new GsonBuilder().disableHtmlEscaping().create();
  private static final String END = ".jsonl";

  /** In the name of an attempt's file, before the attempt. */
  private static final String OF_ATTEMPTS = END + ".";

  private final FileSystem fs;
  private final Path file;
  private final Path ofAttempt;
  private FSDataOutputStream out;

  /** The file of an attempt of a task. */
  BadRecords(FileSystem fs, Path directory, TaskAttemptID attempt) {
    String name = String.format(Locale.ROOT, "bad-%05d", attempt.getTaskID().getId());
    this.fs = fs;
    this.file = new Path(directory, name + END);
    this.ofAttempt = new Path(directory, name + OF_ATTEMPTS + attempt);
  }

  /** Adds a record. */
  void add(Place place, String reason, String raw) throws IOException {
    if (out == null) {
      out = fs.create(ofAttempt, true);
    }
    JsonObject bad = new JsonObject();
    bad.addProperty("file", place.file());
    bad.addProperty(place.unit().toString(), place.number());
    bad.addProperty("reason", reason);
    bad.addProperty("record", raw);
    out.write((GSON.toJson(bad) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** Hands over what was added, so that it is in the list also if the task is killed. */
  void flush() throws IOException {
    if (out != null) {
      out.hflush();
    }
  }

  /** Makes durable what was added: all bad records of the task, whatever others have left. */
  void complete() throws IOException {
    if (out != null) {
      end();
      if (fs.exists(ofAttempt)) {
        replace(fs, ofAttempt, file);
      } // else it has the name of the task already
    }
  }

  /** What a failed attempt has added stays if no other attempt has more. */
  @Override
  public void close() throws IOException {
    if (out != null) {
      end();
      keepLonger(fs, ofAttempt, file);
    }
  }

  private void end() throws IOException {
    FSDataOutputStream ending = out;
    out = null;
    DurableFile.end(ending);
  }

  /** Names the lists of attempts that were killed. */
  static void nameLists(FileSystem fs, Path directory) throws IOException {
    if (!fs.exists(directory)) {
      return;
    }
    for (FileStatus status : fs.listStatus(directory)) {
      String name = status.getPath().getName();
      int end = name.indexOf(OF_ATTEMPTS);
      if (end >= 0) {
        keepLonger(fs, status.getPath(), new Path(directory, name.substring(0, end) + END));
      }
    }
  }

  /** Of two attempts that did not come to their ends the longer list has what the other has. */
  private static void keepLonger(FileSystem fs, Path ofAttempt, Path file) throws IOException {
    if (!fs.exists(ofAttempt)) {
      return;
    }
    if (fs.exists(file)
        && fs.getFileStatus(file).getLen() >= fs.getFileStatus(ofAttempt).getLen()) {
      fs.delete(ofAttempt, false);
    } else {
      replace(fs, ofAttempt, file);
    }
  }

  private static void replace(FileSystem fs, Path from, Path to) throws IOException {
    fs.delete(to, false);
    if (!fs.rename(from, to)) {
      throw new IOException("the bad records in " + from + " cannot be moved to " + to);
    }
  }
}

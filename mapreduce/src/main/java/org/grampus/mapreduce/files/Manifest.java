package org.grampus.mapreduce.files;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.engine.Absent;
import org.grampus.engine.RecordAdapters;

/**
 * What a complete download has: {@code _manifest.json}.
 *
 * @param table that was downloaded
 * @param snapshot of it whose files were read; null if servers were asked
 * @param format of the files
 * @param columns the mapping (docs/downloads.md)
 * @param rows of all files
 * @param bytes of all files
 * @param files in the order of rows
 */
public record Manifest(
    String table,
    @Absent String snapshot,
    String format,
    String columns,
    long rows,
    long bytes,
    List<PartReport> files) {
  /** Its name in the directory of a download. */
  public static final String NAME = "_manifest.json";

  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .disableHtmlEscaping()
          .registerTypeAdapterFactory(new RecordAdapters())
          .create();

  /** The manifest of files, whose rows and bytes it sums up. */
  public static Manifest of(
      String table, String snapshot, FileFormat format, String columns, List<PartReport> files) {
    return new Manifest(
        table,
        snapshot,
        format.toString(),
        columns,
        files.stream().mapToLong(PartReport::rows).sum(),
        files.stream().mapToLong(PartReport::bytes).sum(),
        files);
  }

  /** Reads a manifest; null when the file is empty. */
  public static Manifest read(FileSystem fs, Path path) throws IOException {
    try (FSDataInputStream in = fs.open(path)) {
      return GSON.fromJson(IOUtils.toString(in, StandardCharsets.UTF_8), Manifest.class);
    }
  }

  /** Writes it, in place of one that is there. */
  public void write(FileSystem fs, Path path) throws IOException {
    DurableFile.write(fs, path, (GSON.toJson(this) + "\n").getBytes(StandardCharsets.UTF_8));
  }
}

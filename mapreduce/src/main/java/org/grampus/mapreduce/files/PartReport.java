package org.grampus.mapreduce.files;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.commons.io.IOUtils;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.grampus.engine.RecordAdapters;

/**
 * What a complete part has; a file of JSON beside it.
 *
 * @param name of the file
 * @param rows in it, without a header
 * @param bytes of the file
 * @param crc32c CRC-32C of these bytes, as eight hexadecimal digits
 */
public record PartReport(String name, long rows, long bytes, String crc32c) {
  private static final Gson GSON =
      new GsonBuilder()
          .disableHtmlEscaping()
          .registerTypeAdapterFactory(new RecordAdapters())
          .create();

  /** Writes it, in place of one that is there. */
  public void write(FileSystem fs, Path path) throws IOException {
    DurableFile.write(fs, path, GSON.toJson(this).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Reads a report.
   *
   * @throws BadReportException when the file is no report
   */
  public static PartReport read(FileSystem fs, Path path) throws IOException {
    try (FSDataInputStream in = fs.open(path)) {
      PartReport report =
          GSON.fromJson(IOUtils.toString(in, StandardCharsets.UTF_8), PartReport.class);
      if (report == null) { // of an empty file
        throw new BadReportException(path + " is no report of a part");
      }
      return report;
    } catch (JsonParseException e) {
      throw new BadReportException(path + " is no report of a part", e);
    }
  }
}

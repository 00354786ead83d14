package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ConnectionConfiguration;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.files.DurableFile;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.keys.JobKeys;
import org.grampus.mapreduce.row.RowOptions;
import org.grampus.mapreduce.source.SourceOptions;

/**
 * What a job is to import, as its configuration has it; its files are those of Hadoop's {@code
 * FileInputFormat}.
 *
 * @param table that rows go to
 * @param format of all files; null tells it by their names
 * @param header names of the columns of files without a header line, or null
 * @param rows how rows are made
 * @param badDirectory of this import alone, for records that no row can be made of
 * @param badMax how many of them there may be
 */
record ImportRequest(
    TableName table,
    FileFormat format,
    List<String> header,
    RowOptions rows,
    Path badDirectory,
    long badMax) {
  private static final String TABLE_KEY = JobKeys.IMPORT + "table";
  private static final String FORMAT_KEY = JobKeys.IMPORT + "format";
  private static final String HEADER_KEY = JobKeys.IMPORT + "header";
  private static final String COLUMNS_KEY = JobKeys.IMPORT + "columns";
  private static final String KEY_KEY = JobKeys.IMPORT + "key";
  private static final String SEPARATOR_KEY = JobKeys.IMPORT + "key.separator";
  private static final String FAMILY_KEY = JobKeys.IMPORT + "family";
  private static final String TIMESTAMP_KEY = JobKeys.IMPORT + "timestamp";
  private static final String ZONE_KEY = JobKeys.IMPORT + "zone";
  private static final String OVERRIDES_KEY = JobKeys.IMPORT + "timestamp.overrides";
  private static final String BAD_DIRECTORY_KEY = JobKeys.IMPORT + "bad.directory";
  private static final String BAD_MAX_KEY = JobKeys.IMPORT + "bad.max";

  private static final String NAME_SEPARATOR = "\t";
  private static final String FAILURES = "_failures";

  /** What a configuration has. */
  static ImportRequest of(Configuration conf) throws IOException {
    String format = conf.get(FORMAT_KEY);
    String header = conf.getRaw(HEADER_KEY);
    return new ImportRequest(
        TableName.valueOf(JobKeys.required(conf, TABLE_KEY)),
        format == null ? null : FileFormat.of(format),
        header == null ? null : List.of(header.split(NAME_SEPARATOR, -1)),
        rows(conf),
        new Path(JobKeys.required(conf, BAD_DIRECTORY_KEY)),
        conf.getLong(BAD_MAX_KEY, 0));
  }

  private static RowOptions rows(Configuration conf) throws IOException {
    String zone = conf.get(ZONE_KEY);
    return new RowOptions(
        conf.getRaw(COLUMNS_KEY),
        conf.getRaw(KEY_KEY),
        JobKeys.required(conf, SEPARATOR_KEY),
        JobKeys.required(conf, FAMILY_KEY),
        Long.parseLong(JobKeys.required(conf, TIMESTAMP_KEY)),
        zone == null ? null : ZoneId.of(zone),
        conf.getBoolean(OVERRIDES_KEY, false),
        cellBytesMax(conf));
  }

  /** Bytes of a cell that the client sends at most; 0 for any number. */
  static int cellBytesMax(Configuration conf) {
    return conf.getInt(
        ConnectionConfiguration.MAX_KEYVALUE_SIZE_KEY,
        ConnectionConfiguration.MAX_KEYVALUE_SIZE_DEFAULT);
  }

  /** Writes it to a job's configuration. */
  void write(Configuration conf) {
    conf.set(TABLE_KEY, table.getNameAsString());
    set(conf, FORMAT_KEY, format == null ? null : format.toString());
    set(conf, HEADER_KEY, header == null ? null : String.join(NAME_SEPARATOR, header));
    set(conf, COLUMNS_KEY, rows.columns());
    set(conf, KEY_KEY, rows.key());
    conf.set(SEPARATOR_KEY, rows.keySeparator());
    conf.set(FAMILY_KEY, rows.family());
    conf.setLong(TIMESTAMP_KEY, rows.timestamp());
    set(conf, ZONE_KEY, rows.zone() == null ? null : rows.zone().getId());
    conf.setBoolean(OVERRIDES_KEY, rows.overridesTimestamps());
    conf.set(BAD_DIRECTORY_KEY, badDirectory.toString());
    conf.setLong(BAD_MAX_KEY, badMax);
  }

  private static void set(Configuration conf, String key, String value) {
    if (value != null) {
      conf.set(key, value);
    }
  }

  /** The same with another own time of rows, unless the user has said one for all. */
  ImportRequest later(int millis) {
    return rows.overridesTimestamps()
        ? this
        : new ImportRequest(table, format, header, rows.later(millis), badDirectory, badMax);
  }

  /**
   * How files are read.
   *
   * @param wanted columns that are needed; null for all
   */
  SourceOptions source(Set<String> wanted) {
    return new SourceOptions(format, header, wanted);
  }

  /** The file system of the directory of bad records. */
  FileSystem badFileSystem(Configuration conf) throws IOException {
    return DurableFile.fileSystem(badDirectory, conf);
  }

  /** Why tasks have failed; kept beside bad records while the job runs. */
  FailureNotes failures(Configuration conf) throws IOException {
    return new FailureNotes(badFileSystem(conf), new Path(badDirectory, FAILURES));
  }
}

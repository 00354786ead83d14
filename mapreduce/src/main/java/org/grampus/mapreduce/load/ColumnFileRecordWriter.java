package org.grampus.mapreduce.load;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.util.Time;
import org.grampus.engine.FamilyDescription;
import org.grampus.mapreduce.files.FreshName;

/**
 * The files of one task: of each family one at a time, and a new one for all at a row's end when
 * one of them has reached a region's size. Cells without a timestamp get the time of the task's
 * begin.
 */
final class ColumnFileRecordWriter extends RecordWriter<ImmutableBytesWritable, Cell> {
  private final TaskAttemptContext task;
  private final Map<byte[], FamilyDescription> families;
  private final Map<byte[], ColumnFile> open = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Path directory;
  private final FileSystem fs;
  private final long bytesMax;
  private final long now = Time.now();
  private byte[] row = HConstants.EMPTY_BYTE_ARRAY;

  ColumnFileRecordWriter(TaskAttemptContext task, Path directory) throws IOException {
    Configuration conf = task.getConfiguration();
    this.task = task;
    this.families = LoadedTable.families(conf);
    this.directory = directory;
    this.fs = directory.getFileSystem(conf);
    this.bytesMax = conf.getLong(HConstants.HREGION_MAX_FILESIZE, HConstants.DEFAULT_MAX_FILE_SIZE);
  }

  @Override
  public void write(ImmutableBytesWritable key, Cell cell) throws IOException {
    if (cell == null) {
      finishAll(); // the reducer has more of the row, from its beginning
      return;
    }
    if (!CellUtil.matchingRows(cell, row)) {
      row = CellUtil.cloneRow(cell);
      if (isAnyFull()) {
        finishAll();
      }
    }
    if (cell.getTimestamp() == HConstants.LATEST_TIMESTAMP) {
      PrivateCellUtil.setTimestamp(cell, now);
    }
    byte[] family = CellUtil.cloneFamily(cell);
    ColumnFile file = open.get(family);
    if (file == null) {
      file = create(family);
      open.put(family, file);
    }
    file.append(cell);
  }

  private boolean isAnyFull() {
    for (ColumnFile file : open.values()) {
      if (file.bytes() >= bytesMax) {
        return true;
      }
    }
    return false;
  }

  private ColumnFile create(byte[] family) throws IOException {
    FamilyDescription description = families.get(family);
    if (description == null) {
      throw new IOException(
          "the table has no family " + Bytes.toStringBinary(family) + ", and the job a cell of it");
    }
    String name = FreshName.next();
    Path path = new Path(new Path(directory, Bytes.toString(family)), name);
    return ColumnFile.create(fs, path, description);
  }

  private void finishAll() throws IOException {
    for (ColumnFile file : open.values()) {
      FileTotals.add(task, file.finish());
    }
    open.clear();
  }

  @Override
  public void close(TaskAttemptContext context) throws IOException {
    try {
      finishAll();
    } finally {
      for (ColumnFile file : open.values()) {
        file.close();
      }
    }
  }
}

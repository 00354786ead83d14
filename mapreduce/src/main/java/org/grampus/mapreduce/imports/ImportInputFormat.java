package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.source.CsvBorders;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceOptions;
import org.grampus.mapreduce.source.SourceRecord;

/**
 * Splits of files as Hadoop makes them, but that those of CSV begin with records, and that all are
 * in the order of the files' paths.
 */
public final class ImportInputFormat extends FileInputFormat<RecordSource, SourceRecord> {
  /** For the framework. */
  public ImportInputFormat() {}

  private static FileFormat format(Configuration conf, Path path) throws IOException {
    SourceOptions options = ImportRequest.of(conf).source(null);
    return RecordSources.format(conf, path, options);
  }

  /** The files of a job; names that begin with _ or . are none. */
  List<FileStatus> files(JobContext context) throws IOException {
    return listStatus(context);
  }

  /** Each file once, though several paths or patterns may name it. */
  @Override
  protected List<FileStatus> listStatus(JobContext context) throws IOException {
    Map<URI, FileStatus> files = new LinkedHashMap<>();
    for (FileStatus file : super.listStatus(context)) {
      files.putIfAbsent(file.getPath().toUri().normalize(), file);
    }
    return List.copyOf(files.values());
  }

  @Override
  protected boolean isSplitable(JobContext context, Path path) {
    Configuration conf = context.getConfiguration();
    try {
      return RecordSources.isSplitable(conf, path, format(conf, path));
    } catch (IOException e) {
      throw new IllegalStateException("the formats were looked at before", e);
    }
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    Map<Path, List<FileSplit>> files = new TreeMap<>();
    for (InputSplit split : super.getSplits(context)) {
      FileSplit ofFile = (FileSplit) split;
      files.computeIfAbsent(ofFile.getPath(), path -> new ArrayList<>()).add(ofFile);
    }
    List<FileSplit> splits = new ArrayList<>();
    for (List<FileSplit> ofFile : files.values()) {
      boolean movable =
          ofFile.size() > 1 && format(conf, ofFile.get(0).getPath()) == FileFormat.CSV;
      splits.addAll(movable ? withRecords(conf, ofFile) : ofFile);
    }
    return numbered(splits);
  }

  private static List<InputSplit> numbered(List<FileSplit> splits) throws IOException {
    List<InputSplit> numbered = new ArrayList<>(splits.size());
    for (FileSplit split : splits) {
      numbered.add(new ImportSplit(split, numbered.size()));
    }
    return numbered;
  }

  /** Moves the borders of a file's splits to records. */
  private static List<FileSplit> withRecords(Configuration conf, List<FileSplit> splits)
      throws IOException {
    Path path = splits.get(0).getPath();
    FileSplit last = splits.get(splits.size() - 1);
    long[] wanted = splits.stream().skip(1).mapToLong(FileSplit::getStart).toArray();
    long[] borders;
    try (FSDataInputStream in = path.getFileSystem(conf).open(path)) {
      borders = CsvBorders.find(in, wanted);
    }
    List<FileSplit> moved = new ArrayList<>();
    long begin = 0;
    for (int i = 0; i < splits.size(); i++) {
      long end = i < borders.length ? borders[i] : last.getStart() + last.getLength();
      if (end > begin) {
        moved.add(new FileSplit(path, begin, end - begin, splits.get(i).getLocations()));
        begin = end;
      }
    }
    return moved;
  }

  @Override
  public SourceReader createRecordReader(InputSplit split, TaskAttemptContext context) {
    return new SourceReader();
  }
}

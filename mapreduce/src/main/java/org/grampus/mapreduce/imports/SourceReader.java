package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceRecord;

/** The records of a split, with their source as the key. One thread. */
final class SourceReader extends RecordReader<RecordSource, SourceRecord> {
  private RecordSource source;
  private SourceRecord record;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    ImportRequest request = ImportRequest.of(conf);
    FileSplit ofFile = (FileSplit) split;
    Set<String> wanted = RowMakers.of(conf, request, ofFile.getPath()).columns();
    source = RecordSources.open(conf, ofFile, request.source(wanted));
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    record = source.next();
    return record != null;
  }

  @Override
  public RecordSource getCurrentKey() {
    return source;
  }

  @Override
  public SourceRecord getCurrentValue() {
    return record;
  }

  @Override
  public float getProgress() throws IOException {
    return source.progress();
  }

  @Override
  public void close() throws IOException {
    if (source != null) {
      source.close();
    }
  }
}

package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceRecord;

/**
 * The records of a split, with their source as the key. The source is opened with the first record,
 * where the mapper can leave the reason of a failure. One thread.
 */
final class SourceReader extends RecordReader<RecordSource, SourceRecord> {
  private Configuration conf;
  private ImportSplit split;
  private RecordSource source;
  private SourceRecord record;

  @Override
  public void initialize(InputSplit toRead, TaskAttemptContext context) {
    conf = context.getConfiguration();
    split = (ImportSplit) toRead;
  }

  private RecordSource open() throws IOException {
    ImportRequest request = ImportRequest.of(conf);
    Set<String> wanted = RowMakers.of(conf, request, split).columns();
    return RecordSources.open(conf, split, request.source(wanted));
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    if (source == null) {
      source = open();
    }
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
    return source == null ? 0 : source.progress();
  }

  @Override
  public void close() throws IOException {
    if (source != null) {
      source.close();
    }
  }
}

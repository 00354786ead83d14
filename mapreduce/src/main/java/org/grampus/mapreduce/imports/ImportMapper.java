package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.grampus.mapreduce.command.FailureNotes;
import org.grampus.mapreduce.command.JobConfiguration;
import org.grampus.mapreduce.row.BadValueException;
import org.grampus.mapreduce.row.MissingColumnException;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.SourceRecord;

/**
 * Makes a row of each record of its split, and puts it where rows go: to the servers, or to the
 * reducers of a job that has some.
 */
public final class ImportMapper
    extends Mapper<RecordSource, SourceRecord, ImmutableBytesWritable, Put> {
  private ImportRequest request;
  private ImportSplit split;
  private RowMaker rows;
  private BadRecords bad;
  private long badCount;
  private RowSink sink;
  private RecordSource source;
  private long bytesCounted;

  /** For the framework. */
  public ImportMapper() {}

  @Override
  public void run(Context context) throws IOException, InterruptedException {
    Configuration conf = context.getConfiguration();
    request = ImportRequest.of(conf);
    FailureNotes failures = request.failures(conf);
    if (JobConfiguration.isLocal(conf) && failures.any() != null) {
      return; // the job fails at its end, which need not be far
    }
    split = (ImportSplit) context.getInputSplit();
    int task = context.getTaskAttemptID().getTaskID().getId();
    try (BadRecords badOfTask =
            new BadRecords(
                request.badFileSystem(conf), request.badDirectory(), context.getTaskAttemptID());
        RowSink opened = sink(context)) {
      rows = RowMakers.of(conf, request, split);
      bad = badOfTask;
      sink = opened;
      while (context.nextKeyValue()) {
        map(context.getCurrentKey(), context.getCurrentValue(), context);
      }
      sink.flush();
      bad.complete();
      countBytes(context, split.getLength());
    } catch (IOException | RuntimeException | Error e) {
      failures.leave("map-" + task, e);
      throw e;
    }
  }

  private RowSink sink(Context context) throws IOException {
    RowSink.Listener listener = (count, cells) -> arrived(context, count, cells);
    return context.getNumReduceTasks() == 0
        ? ServerSink.open(context.getConfiguration(), request.table(), listener)
        : ReducerSink.of(context, request, split.number(), listener);
  }

  @Override
  protected void map(RecordSource from, SourceRecord record, Context context) throws IOException {
    source = from;
    if (record.problem() != null) {
      addBad(record.problem(), context);
      return;
    }
    try {
      sink.write(rows.row(record));
    } catch (BadValueException e) {
      addBad(e.getMessage(), context);
    } catch (MissingColumnException e) {
      throw new IOException(split.getPath() + ": " + e.getMessage(), e);
    }
  }

  private void addBad(String reason, Context context) throws IOException {
    bad.add(source.place(), reason, source.raw());
    badCount++;
    if (badCount > request.badMax()) {
      bad.flush();
      throw new IOException(
          LineNumber.of(context.getConfiguration(), source.place(), context)
              + ": "
              + reason
              + (request.badMax() == 0
                  ? "; --bad-max allows bad records"
                  : "; more than --bad-max " + request.badMax() + " records are bad"));
    }
    // Not of the one too many, for which the command would end the job before its line is known.
    context.getCounter(ImportCounters.GROUP, ImportCounters.BAD_RECORDS).increment(1);
  }

  private void arrived(Context context, long count, long cells) throws IOException {
    context.getCounter(ImportCounters.GROUP, ImportCounters.ROWS).increment(count);
    context.getCounter(ImportCounters.GROUP, ImportCounters.CELLS).increment(cells);
    countBytes(context, source == null ? 0 : (long) (source.progress() * split.getLength()));
    context.progress();
  }

  private void countBytes(Context context, long read) {
    context.getCounter(ImportCounters.GROUP, ImportCounters.BYTES).increment(read - bytesCounted);
    bytesCounted = read;
  }
}

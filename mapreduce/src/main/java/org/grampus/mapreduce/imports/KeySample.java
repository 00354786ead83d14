package org.grampus.mapreduce.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.grampus.mapreduce.row.BadValueException;
import org.grampus.mapreduce.row.MissingColumnException;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.source.RecordSource;
import org.grampus.mapreduce.source.RecordSources;
import org.grampus.mapreduce.source.SourceRecord;

/** Where a new table's regions should begin, by the keys of some of its rows. */
final class KeySample {
  private static final int SPLITS_MAX = 50;

  /** Records that are read of all splits together. */
  private static final int RECORDS_MAX = 20_000;

  private final JobContext context;
  private final ImportRequest request;

  KeySample(JobContext context, ImportRequest request) {
    this.context = context;
    this.request = request;
  }

  /** Keys that cut the rows of the sample into equal parts, of the wanted number or fewer. */
  List<byte[]> borders(int regions) throws IOException {
    List<byte[]> keys = keys();
    keys.sort(Bytes.BYTES_COMPARATOR);
    TreeSet<byte[]> borders = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (long i = 1; i < regions && !keys.isEmpty(); i++) {
      borders.add(keys.get((int) (i * keys.size() / regions)));
    }
    if (!keys.isEmpty()) {
      borders.remove(keys.get(0)); // nothing would be before it
    }
    return List.copyOf(borders);
  }

  /** The first rows of splits that are spread over all files. */
  private List<byte[]> keys() throws IOException {
    List<InputSplit> splits = new ImportInputFormat().getSplits(context);
    int sampled = Math.min(SPLITS_MAX, splits.size());
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < sampled; i++) {
      ImportSplit split = (ImportSplit) splits.get((int) ((long) i * splits.size() / sampled));
      add(split, RECORDS_MAX / sampled, keys);
    }
    return keys;
  }

  private void add(ImportSplit split, int max, List<byte[]> keys) throws IOException {
    Configuration conf = context.getConfiguration();
    RowMaker rows = RowMakers.of(conf, request, split);
    try (RecordSource source = RecordSources.open(conf, split, request.source(rows.columns()))) {
      SourceRecord record = source.next();
      for (int i = 0; record != null && i < max; i++) {
        add(record, rows, keys);
        record = source.next();
      }
    } catch (MissingColumnException e) {
      throw new IOException(split.getPath() + ": " + e.getMessage(), e);
    }
  }

  private static void add(SourceRecord record, RowMaker rows, List<byte[]> keys)
      throws MissingColumnException {
    if (record.problem() != null) {
      return;
    }
    try {
      keys.add(rows.row(record).getRow());
    } catch (BadValueException e) {
      // the job will meet the record again, and say what is wrong with it
    }
  }
}

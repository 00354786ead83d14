package org.grampus.mapreduce.imports;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.grampus.mapreduce.files.FileFormat;
import org.grampus.mapreduce.row.RowMaker;
import org.grampus.mapreduce.source.RecordSources;

/** What makes rows of the records of a file. */
final class RowMakers {
  private RowMakers() {}

  /** The rows of a split, whose own time is later than that of an earlier split. */
  static RowMaker of(Configuration conf, ImportRequest request, ImportSplit split)
      throws IOException {
    return of(conf, request.later(split.number()), split.getPath());
  }

  static RowMaker of(Configuration conf, ImportRequest request, Path path) throws IOException {
    FileFormat format = RecordSources.format(conf, path, request.source(null));
    return format == FileFormat.SEQ
        ? RowMaker.ofResults(request.rows())
        : RowMaker.of(request.rows());
  }
}

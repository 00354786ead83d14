package org.grampus.mapreduce.source;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** Tabs between fields, and nothing quoted: a line is a record. An empty field is null. */
final class TsvSource extends LineSource {
  private static final String TAB = "\t";

  private final RecordShape shape;

  private TsvSource(Lines lines, RecordShape shape) {
    super(lines);
    this.shape = shape;
  }

  /**
   * Opens a split.
   *
   * @param header names of the columns of files without a header line, or null
   */
  static TsvSource open(Configuration conf, FileSplit split, List<String> header)
      throws IOException {
    String line = header == null ? Lines.first(conf, split.getPath()) : null;
    RecordShape shape =
        header == null && line == null
            ? RecordShape.EMPTY
            : RecordShape.ofHeader(
                split.getPath(), header == null ? List.of(line.split(TAB, -1)) : header);
    Lines lines = Lines.open(conf, split);
    try {
      if (header == null && split.getStart() == 0) {
        lines.next();
      }
      return new TsvSource(lines, shape);
    } catch (IOException e) {
      IOUtils.closeStream(lines);
      throw e;
    }
  }

  @Override
  SourceRecord record(Lines at) {
    String[] values;
    try {
      values = at.text().split(TAB, -1);
    } catch (CharacterCodingException e) {
      return SourceRecord.bad("it is no UTF-8");
    }
    int wanted = shape.names().size();
    if (values.length != wanted) {
      return SourceRecord.bad("it has " + values.length + " fields, and not " + wanted);
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = values[i].isEmpty() ? null : values[i];
    }
    return SourceRecord.of(shape, values);
  }
}

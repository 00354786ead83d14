package org.grampus.mapreduce.source;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/** CSV as of RFC 4180. The split begins with a record; see {@link CsvBorders}. */
final class CsvSource implements RecordSource {
  private static final int BUFFER_BYTES = 1 << 16;

  /** More is no record, but a quote that is not closed. */
  private static final int RECORD_BYTES_MAX = 64 << 20;

  private final Path path;
  private final SplitText text;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private final CsvMachine machine = new CsvMachine();
  private final CsvRecord record = new CsvRecord();
  private final LineCount lines = new LineCount();
  private final RecordShape shape;
  private int next;
  private int filled;
  private boolean ended;

  private long recordPosition;
  private long recordLine;

  private CsvSource(Configuration conf, FileSplit split, RecordShape shape) throws IOException {
    this.path = split.getPath();
    this.text = new SplitText(conf, split, 0);
    try {
      this.shape = shape == null ? header() : shape;
    } catch (IOException | RuntimeException e) {
      IOUtils.closeStream(text);
      throw e;
    }
  }

  /**
   * Opens a split.
   *
   * @param header names of the columns of files without a header line, or null
   */
  static CsvSource open(Configuration conf, FileSplit split, List<String> header)
      throws IOException {
    if (header != null) {
      return new CsvSource(conf, split, RecordShape.ofHeader(split.getPath(), header));
    }
    if (split.getStart() == 0) {
      return new CsvSource(conf, split, null);
    }
    FileSplit first = new FileSplit(split.getPath(), 0, split.getStart(), null);
    try (CsvSource beginning = new CsvSource(conf, first, null)) {
      return new CsvSource(conf, split, beginning.shape);
    }
  }

  private RecordShape header() throws IOException {
    if (!read()) {
      return RecordShape.EMPTY;
    }
    try {
      return RecordShape.ofHeader(path, record.names());
    } catch (CharacterCodingException e) {
      throw new IOException(path + ": the header line is no UTF-8", e);
    }
  }

  @Override
  public SourceRecord next() throws IOException {
    if (!read()) {
      return null;
    }
    if (machine.isQuoteOpen()) {
      return SourceRecord.bad("a quote is not closed before the end of the file");
    }
    if (machine.isBroken()) {
      return SourceRecord.bad("there is text between a closing quote and the end of the field");
    }
    int wanted = shape.names().size();
    if (record.fields() != wanted) {
      return SourceRecord.bad("it has " + record.fields() + " fields, and not " + wanted);
    }
    try {
      return SourceRecord.of(shape, record.values());
    } catch (CharacterCodingException e) {
      return SourceRecord.bad("it is no UTF-8");
    }
  }

  /** Reads a record; false at the end. */
  private boolean read() throws IOException {
    record.clear();
    while (next < filled || fill()) {
      byte taken = buffer[next];
      if (machine.beginsRecord(taken)) {
        if (text.isBehind()) {
          return false;
        }
        recordPosition = text.position();
        recordLine = lines.line();
      }
      next++;
      text.taken(1);
      lines.take(taken);
      if (take(taken)) {
        return true;
      }
    }
    if (ended || !machine.isWithinRecord()) {
      return false;
    }
    ended = true; // the last record has no end of line
    if (!machine.isQuoteOpen()) {
      machine.take((byte) '\n'); // a field that has not begun has no quotes
    }
    record.endField(machine.isQuoted());
    return true;
  }

  /** Takes a byte; whether it ends the record. */
  private boolean take(byte taken) throws IOException {
    CsvMachine.Meaning meaning = machine.take(taken);
    switch (meaning) {
      case RECORD_END:
        record.endField(machine.isQuoted());
        return true;
      case FIELD_END:
        record.append(taken, false);
        record.endField(machine.isQuoted());
        break;
      default:
        if (machine.isWithinRecord()) {
          record.append(taken, meaning == CsvMachine.Meaning.CONTENT);
        }
    }
    if (record.length() > RECORD_BYTES_MAX) {
      throw new IOException(
          place() + ": the record is longer than " + (RECORD_BYTES_MAX >> 20) + " MiB");
    }
    return false;
  }

  private boolean fill() throws IOException {
    next = 0;
    filled = text.in().read(buffer);
    return filled > 0;
  }

  @Override
  public Place place() {
    return text.place(recordLine, recordPosition);
  }

  @Override
  public String raw() {
    return record.raw();
  }

  @Override
  public float progress() throws IOException {
    return text.progress();
  }

  @Override
  public void close() throws IOException {
    text.close();
  }
}

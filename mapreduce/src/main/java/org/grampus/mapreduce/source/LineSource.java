package org.grampus.mapreduce.source;

import java.io.IOException;

/** A source of which each line is a record. One thread. */
abstract class LineSource implements RecordSource {
  private final Lines lines;

  LineSource(Lines lines) {
    this.lines = lines;
  }

  @Override
  public final SourceRecord next() throws IOException {
    return lines.next() ? record(lines) : null;
  }

  /** The record of the line that the lines are at. */
  abstract SourceRecord record(Lines at);

  @Override
  public final Place place() {
    return lines.place();
  }

  @Override
  public final String raw() {
    return lines.raw();
  }

  @Override
  public final float progress() throws IOException {
    return lines.progress();
  }

  @Override
  public final void close() throws IOException {
    lines.close();
  }
}

package org.grampus.mapreduce.source;

import java.io.IOException;
import org.apache.hadoop.fs.Path;

/** A source whose errors name its file, which those of libraries need not. One thread. */
final class NamedSource implements RecordSource {
  private final RecordSource source;
  private final Path path;

  NamedSource(RecordSource source, Path path) {
    this.source = source;
    this.path = path;
  }

  /** The same error with the name of the file in its message. */
  static IOException named(Path path, Exception e) {
    String message = String.valueOf(e.getMessage() == null ? e : e.getMessage());
    return e instanceof IOException known && message.contains(path.getName())
        ? known
        : new IOException(path + " cannot be read: " + message, e);
  }

  @Override
  public SourceRecord next() throws IOException {
    try {
      return source.next();
    } catch (IOException | RuntimeException e) { // what libraries say of a file that is damaged
      throw named(path, e);
    }
  }

  @Override
  public Place place() {
    return source.place();
  }

  @Override
  public String raw() {
    return source.raw();
  }

  @Override
  public float progress() throws IOException {
    return source.progress();
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}

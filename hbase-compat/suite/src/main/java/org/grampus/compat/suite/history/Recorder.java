package org.grampus.compat.suite.history;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the history, one operation a line. Any thread. */
final class Recorder implements AutoCloseable {
  private final BufferedWriter out;
  private long operations;
  private long unknown;

  Recorder(Path file) throws IOException {
    out = Files.newBufferedWriter(file);
  }

  synchronized void add(String line, boolean isKnown) {
    try {
      out.write(line);
      out.newLine();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the history", e);
    }
    operations++;
    unknown += isKnown ? 0 : 1;
  }

  synchronized long operations() {
    return operations;
  }

  synchronized long unknown() {
    return unknown;
  }

  @Override
  public synchronized void close() throws IOException {
    out.close();
  }
}
